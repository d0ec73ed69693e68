//! Nested lists on lines of a readable width.

/// A word, or several in parentheses.
pub(super) enum List {
    Atom(String),
    Items(Vec<List>),
    /// A list with a label: `#12=(...)`.
    Labelled(String, Vec<List>),
}

const WIDTH: usize = 110;

impl List {
    /// Writes the list, `indent` blanks in, and a line feed: on one line if it fits, else one part on each line.
    pub fn write(&self, out: &mut String, indent: usize) {
        out.push_str(&" ".repeat(indent));
        self.put(out, indent);
        out.push('\n');
    }

    fn put(&self, out: &mut String, column: usize) {
        let (label, items) = match self {
            List::Atom(text) => return out.push_str(text),
            List::Items(items) => (String::new(), items),
            List::Labelled(label, items) => (format!("{label}="), items),
        };
        if self.fits(WIDTH.saturating_sub(column)) {
            return self.put_flat(out);
        }
        out.push_str(&label);
        out.push('(');
        // Words stand beside the head; longer parts stand below it.
        let n_words = items.iter().take_while(|item| matches!(item, List::Atom(_))).count();
        for (index, item) in items.iter().enumerate() {
            if index >= n_words.max(1) {
                out.push('\n');
                out.push_str(&" ".repeat(column + 2));
            } else if index > 0 {
                out.push(' ');
            }
            base::with_stack(|| item.put(out, column + 2));
        }
        out.push(')');
    }

    fn put_flat(&self, out: &mut String) {
        let items = match self {
            List::Atom(text) => return out.push_str(text),
            List::Items(items) => items,
            List::Labelled(label, items) => {
                out.push_str(label);
                out.push('=');
                items
            }
        };
        out.push('(');
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                out.push(' ');
            }
            item.put_flat(out);
        }
        out.push(')');
    }

    fn fits(&self, room: usize) -> bool {
        self.take(room).is_some()
    }

    /// Returns how much of `room` is left when the list stands on one line, or `None` if it does not fit.
    fn take(&self, room: usize) -> Option<usize> {
        let (label, items) = match self {
            List::Atom(text) => return room.checked_sub(text.chars().count()),
            List::Items(items) => (0, items),
            List::Labelled(label, items) => (label.len() + 1, items),
        };
        let room = room.checked_sub(label + 1)?;
        items.iter().try_fold(room, |room, item| item.take(room)?.checked_sub(1))
    }
}
