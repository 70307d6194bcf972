//! `delete`.

use serde_json::json;

use super::{answer, both_ways, refused, said, three_pads};

#[test]
fn pads_are_deleted_all_or_none() {
    both_ways("delete", "{}", three_pads, |root| {
        let dry = said(root, "delete one --dry-run");
        assert_eq!(dry, "one: would be deleted\nwould delete 1 pad\n");
        assert_eq!(refused(root, "delete one four"), "there is no pad four");
        assert_eq!(said(root, "check"), "checked 3 pads: no problems\n");
        let (data, code) = answer(root, "delete one two");
        let rows = json!([{"pad": "one", "revisions": 3}, {"pad": "two", "revisions": 3}]);
        let expected = json!({"ok": true, "deleted": 2, "dryRun": false, "rows": rows});
        assert_eq!((data, code), (expected, 0));
        assert_eq!(said(root, "check"), "checked 1 pad: no problems\n");
        assert_eq!(refused(root, "delete one"), "there is no pad one");
    });
}
