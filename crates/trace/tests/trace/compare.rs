//! Comparisons of two traces: folders of `a.itf.json` and `b.itf.json`, with the output in `expected.txt`.

use test_kit::Expectations;
use trace::{Style, compare, itf};

use crate::data;

#[test]
fn pairs_of_traces() {
    let mut expectations = Expectations::new();
    for folder in test_kit::folders(&data("compare")) {
        let read = |name: &str| {
            let text = std::fs::read_to_string(folder.join(name)).unwrap();
            itf::read(&text).unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        };
        let (left, right) = (read("a.itf.json"), read("b.itf.json"));
        assert_eq!(compare(&left, &left, Style::default()), None);
        assert_eq!(compare(&right, &right, Style::default()), None);
        let said = compare(&left, &right, Style::default()).unwrap_or_else(|| "the same\n".to_owned());
        expectations.check(&folder.join("expected.txt"), &said);
    }
    expectations.finish();
}
