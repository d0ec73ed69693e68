//! Which variables a step has given a next value so far.

/// Variables in the order of their declaration, with the number of times that each was set.
#[derive(Clone, Debug)]
pub struct Changed<'a> {
    variables: &'a [String],
    n_times: Vec<usize>,
}

impl<'a> Changed<'a> {
    pub fn new(variables: &'a [String]) -> Changed<'a> {
        Changed { variables, n_times: vec![0; variables.len()] }
    }

    fn index(&self, variable: &str) -> Option<usize> {
        self.variables.iter().position(|name| name == variable)
    }

    pub fn is_changed(&self, variable: &str) -> bool {
        self.index(variable).is_some_and(|index| self.n_times[index] > 0)
    }

    /// Notes that `variable` is set; gives how often it is now.
    pub fn set(&mut self, variable: &str) -> usize {
        let Some(index) = self.index(variable) else { return 0 };
        self.n_times[index] += 1;
        self.n_times[index]
    }

    /// Takes over what a branch has set.
    pub fn merge(&mut self, branch: &Changed<'_>) {
        for (own, other) in self.n_times.iter_mut().zip(&branch.n_times) {
            *own = (*own).max(*other);
        }
    }

    /// The variables that were not set.
    pub fn unchanged(&self) -> Vec<&'a str> {
        let variables = self.variables.iter().zip(&self.n_times);
        variables.filter(|(_, n)| **n == 0).map(|(name, _)| name.as_str()).collect()
    }

    /// The variables that another branch has set, and this one has not.
    pub fn unchanged_beside(&self, other: &Changed<'_>) -> Vec<&'a str> {
        self.unchanged().into_iter().filter(|name| other.is_changed(name)).collect()
    }
}

/// Names with commas between them, in lines of at most `columns`.
pub fn wrap(names: &[&str], columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for (index, name) in names.iter().enumerate() {
        if index > 0 {
            line.push_str(", ");
        }
        if line.chars().count() + name.chars().count() > columns {
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            line = (*name).to_owned();
        } else {
            line.push_str(name);
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}
