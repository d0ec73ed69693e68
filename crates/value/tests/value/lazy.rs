//! Tests of making values explicit, also deep inside.

use value::{Ground, Host, Kind, OpError, Region, Value, ops};

use crate::text::Evaluator;

#[track_caller]
fn check_force(text: &str, expected: &str) {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    let value = host.value(text);
    let printed = match ops::force(host, value) {
        Ok(value) => {
            assert!(ops::is_explicit(value), "{text}");
            value::print(host, value).unwrap()
        }
        Err(error) => format!("error: {error}"),
    };
    assert_eq!(printed, expected, "{text}");
}

#[test]
fn forcing_reaches_everything() {
    check_force("5", "5");
    check_force("{2, 1, 2}", "{1, 2}");
    check_force("<<SUBSET {1}, [x \\in 0..1 |-> next]>>", "<<{{}, {1}}, (0 :> 1 @@ 1 :> 2)>>");
    check_force("[a |-> {<<{2, 1}>>}]", "[a |-> {<<{1, 2}>>}]");
    check_force("{x \\in SUBSET {1} : any}", "{{}, {1}}");
    check_force("(SUBSET {{2, 1}} :> 1)", "({{}, {{1, 2}}} :> 1)");
    check_force("UNION {1..2, 5..6}", "{1, 2, 5, 6}");
}

#[test]
fn what_cannot_be_stored_is_refused() {
    check_force("Nat", "error: cannot be stored in a state: Nat");
    check_force("<<Nat>>", "error: cannot be stored in a state: Nat");
    check_force("Seq({1})", "error: cannot be stored in a state: Seq({1})");
    check_force("[x \\in Nat |-> same]", "error: cannot enumerate Nat");
    check_force("{1, \"a\"}", "error: cannot compare \"a\" with 1");
    check_force("<<{<<1>>, <<\"a\">>}>>", "error: cannot compare \"a\" with 1");
}

#[test]
fn ground_values_are_known_without_work() {
    let region = Region::new();
    let host = &mut Evaluator::new(&region);
    for (text, is_ground) in
        [("1", true), ("<<1, {2}>>", true), ("1..3", true), ("Nat", false), ("{<<1>>, <<2>>}", false)]
    {
        assert_eq!(Ground::opt(host.value(text)).is_some(), is_ground, "{text}");
    }
    let set = host.value("{<<2>>, <<1>>}");
    ops::normalize(host, set).unwrap();
    assert!(Ground::opt(set).is_some(), "in normal form now");
}

#[test]
fn limits_stop_long_conversions() {
    struct Limited<'r>(Evaluator<'r>, usize);
    impl<'r> Host<'r> for Limited<'r> {
        fn region(&self) -> &'r Region {
            self.0.region()
        }
        fn call(&mut self, closure: value::Closure<'r>, args: &[Value<'r>]) -> value::OpResult<Value<'r>> {
            self.0.call(closure, args)
        }
        fn check_limits(&mut self) -> value::OpResult<()> {
            self.1 += 1;
            if self.1 > 10 {
                Err(Box::new(OpError::Raised(std::sync::Arc::new("time is up"))))
            } else {
                Ok(())
            }
        }
    }
    let region = Region::new();
    let mut host = Limited(Evaluator::new(&region), 0);
    let set = host.0.value("{x \\in SUBSET (1..19) : any}");
    let error = ops::explicit_set(&mut host, set).unwrap_err();
    assert!(matches!(*error, OpError::Raised(_)));
    assert!(host.0.n_calls < 10_000);
    assert_eq!(set.kind(), Kind::Filter);
}

/// Checks that a lazy value does not keep an explicit form that is dropped before it: here the function's values are in
/// another region, which ends first.
#[test]
fn explicit_forms_are_kept_only_where_all_of_them_stays() {
    struct Elsewhere<'r>(&'r Region, Value<'r>);
    impl<'r> Host<'r> for Elsewhere<'r> {
        fn region(&self) -> &'r Region {
            self.0
        }
        fn call(&mut self, _: value::Closure<'r>, _: &[Value<'r>]) -> value::OpResult<Value<'r>> {
            Ok(self.1)
        }
    }
    let long = Region::new();
    let closure = value::Closure { code: 0, flags: 0, captured: value::Items::EMPTY };
    let f = ops::lazy_function(&mut value::Plain(&long), long.interval(0, 1), closure);
    {
        let short = Region::new();
        let host = &mut Elsewhere(&long, short.sequence(&[Value::TRUE]));
        let explicit = ops::explicit_function(host, f).unwrap();
        assert_eq!(value::print_raw(explicit), "(0 :> <<TRUE>> @@ 1 :> <<TRUE>>)");
    }
    let host = &mut Elsewhere(&long, Value::FALSE);
    let explicit = ops::explicit_function(host, f).unwrap();
    assert_eq!(value::print_raw(explicit), "(0 :> FALSE @@ 1 :> FALSE)", "made anew");
    let kept = ops::explicit_function(&mut value::Plain(&long), f).unwrap();
    assert!(kept.is_same(explicit));
}
