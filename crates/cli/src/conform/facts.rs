//! Facts about a run for its page: versions, seed, date.

use super::load::Loaded;
use crate::conform::args::SystemArgs;

/// Returns the facts about a run, by name. The date is that of `variables`' SOURCE_DATE_EPOCH, if it has one, so that
/// pages can be made again.
pub fn facts(
    (system, loaded): (&SystemArgs, &Loaded),
    seed: Option<u64>,
    variables: &[(String, String)],
) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("specification", loaded.model.spec.display().to_string()),
        ("system", system.system.display().to_string()),
    ];
    if let Some(config) = &loaded.model.config {
        facts.insert(1, ("configuration", config.display().to_string()));
    }
    let packages = &loaded.pair.system.python_packages;
    if !packages.is_empty() {
        facts.push(("version of the system", packages.join(", ").replace("==", " ")));
    }
    let set: Vec<String> =
        system.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if !set.is_empty() {
        facts.push(("parameters", set.join(", ")));
    }
    facts.push(("specline", env!("CARGO_PKG_VERSION").to_owned()));
    facts.extend(seed.map(|seed| ("seed", seed.to_string())));
    facts.push(("date", date(now_s(variables))));
    facts
}

fn now_s(variables: &[(String, String)]) -> u64 {
    let fixed = variables.iter().find(|(name, _)| name == "SOURCE_DATE_EPOCH");
    let fixed = fixed.and_then(|(_, seconds)| seconds.parse().ok());
    fixed.unwrap_or_else(|| base::since_epoch().as_secs())
}

/// Formats seconds since 1970 as `2024-02-29 23:59 UTC`.
fn date(since_epoch_s: u64) -> String {
    let (days, minutes) = (since_epoch_s / 86_400, since_epoch_s % 86_400 / 60);
    let mut days_left = days;
    let mut year = 1970;
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days_of = |year: u64| if is_leap(year) { 366 } else { 365 };
    // A date that no calendar has room for is no reason to count for long.
    while days_left >= days_of(year) && year < 9999 {
        days_left -= days_of(year);
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for days_of_month in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days_left < days_of_month {
            break;
        }
        days_left -= days_of_month;
        month += 1;
    }
    let day = days_left.min(30) + 1;
    format!("{year}-{month:02}-{day:02} {:02}:{:02} UTC", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn seconds_are_a_date() {
        for (seconds, expected) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_399, "2000-02-28 23:59 UTC"),
            (951_782_400, "2000-02-29 00:00 UTC"),
            (1_709_251_199, "2024-02-29 23:59 UTC"),
            (1_735_689_599, "2024-12-31 23:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00 UTC"),
        ] {
            assert_eq!(date(seconds), expected, "{seconds}");
        }
        date(u64::MAX);
    }
}
