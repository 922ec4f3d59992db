//! Shape libraries.

use banquise_io::shapes::ShapeLibrary;

#[test]
fn what_is_no_library_is_refused_with_a_reason() {
    let refusal = |text: &str| {
        let error = ShapeLibrary::from_json(text).unwrap_err();
        format!("{text}\nerror: {error}\nhint: {}", error.hint())
    };
    let texts = [
        "",
        "[1, 2]",
        r#"{"name": "x"}"#,
        r#"{"name": "x", "outlines": [[[0, 0], [1, "a"]]]}"#,
        r#"{"name": "x", "outlines": []}"#,
        r#"{"name": "x", "outlines": [[[0,0],[1,0],[0,1]], [[0,0],[1,1],[1,0],[0,1]]]}"#,
        r#"{"name": "x", "outlines": [[[0, 0], [1, 1e999], [3, 4]]]}"#,
    ];
    insta::assert_snapshot!(texts.map(refusal).join("\n\n"));
}
