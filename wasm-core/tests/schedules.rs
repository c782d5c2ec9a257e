//! Runs the files of `testdata/schedules/`: each `NAME.txt` against the expectations in `NAME.expect`, natively and as
//! WASM in Node.js. `support/schedule_case.rs` documents the expectations.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests fail by panicking")]

#[path = "support/schedule_case.rs"]
mod schedule_case;

/// One test for each file, named after it.
macro_rules! files {
    ($($name:ident,)*) => {
        $(
            #[cfg_attr(not(target_arch = "wasm32"), test)]
            #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
            fn $name() {
                let file = include_bytes!(concat!("../testdata/schedules/", stringify!($name), ".txt"));
                let expected = include_str!(concat!("../testdata/schedules/", stringify!($name), ".expect"));
                let differences = schedule_case::differences(file, expected);
                assert!(differences.is_empty(), "{}", differences.join("\n"));
            }
        )*

        #[cfg(not(target_arch = "wasm32"))]
        #[test]
        fn every_file_is_run() {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/schedules");
            let entries = std::fs::read_dir(folder).unwrap();
            let mut files: Vec<String> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            let names = [$(stringify!($name)),*];
            let mut run: Vec<String> =
                names.iter().flat_map(|name| [format!("{name}.txt"), format!("{name}.expect")]).collect();
            files.sort();
            run.sort();
            assert_eq!(files, run);
        }
    };
}

files! {
    actions,
    always_on_never_changes,
    bad_dates,
    bad_days,
    bad_durations,
    bad_every,
    bad_how,
    bad_line_drops_its_dates,
    bad_rules_do_not_count,
    bad_times,
    bad_twelve_hour_times,
    bad_zone_keeps_the_good_one,
    blank_lines_and_comments,
    byte_order_mark,
    byte_order_mark_and_mistake,
    case_does_not_matter,
    columns_are_characters,
    comment_after_rule,
    covered_changes_are_none,
    crlf,
    crlf_mistakes,
    cut_at_eight_kib,
    date_gives_no_precedence,
    dates,
    dublin,
    durations,
    edmonton,
    eight_kib,
    eight_kib_and_one,
    eight_kib_without_newline,
    empty,
    end_and_for,
    end_next_day,
    ends_at_eight_kib,
    equal_times,
    equals_in_a_comment,
    every_all_day,
    every_half_hour,
    every_over_midnight,
    every_past_end,
    every_past_two_midnights,
    every_that_does_not_divide_the_day,
    example,
    fixed_at_a_moment,
    hash_password,
    how_orders,
    how_parts,
    latin_1,
    leap_day,
    literal_passwords,
    lone_start,
    long_dash,
    longest_values,
    lord_howe,
    lower_line_decides_alone,
    lowest_line_wins,
    many_mistakes_one_good_line,
    missing_equals,
    mixed_days,
    new_york_autumn,
    new_york_autumn_over_the_change,
    new_york_night,
    new_york_skipped,
    new_york_spring,
    no_final_newline,
    no_rules_is_off,
    no_timezone,
    no_value,
    none_within_366_days,
    nul_byte,
    off_covers_on,
    off_takes_none,
    on_does_not_blink,
    one_day_range,
    one_digit_hours,
    open_network,
    phase_from_its_own_window,
    phase_of_each_every_window,
    phase_over_midnight,
    phoenix,
    quotes_stay,
    round_the_week,
    same_light_is_no_change,
    seconds,
    setting_twice,
    setting_typos,
    short_password,
    sixty_five_rules,
    sixty_four_rules,
    sixty_six_rules,
    spaces_in_ranges,
    st_johns,
    start_at_24,
    tabs_and_spaces,
    time_server,
    too_long_values,
    twelve_hour_times,
    twenty_four_hours,
    until_midnight,
    utf_16_big_endian,
    utf_16_little_endian,
    utf_16_without_mark,
    utf_8,
    vancouver,
    weekday_words,
    whole_day,
    year_end,
    zone_alias,
    zone_as_offset,
    zone_by_city,
    zone_in_quotes,
    zone_posix,
    zone_posix_brackets,
    zone_posix_without_rule,
    zone_posix_wrong,
    zone_twice,
    zone_typo,
    zone_utc_minus_five,
}
