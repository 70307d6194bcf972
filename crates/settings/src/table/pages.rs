//! Rows: the pages, the editor, and privacy.

use super::{Section, any, whole};

pub(super) const PAGES: Section = Section {
    title: "Pages",
    rows: &[
        any(
            "title",
            |s| &mut s.pages.title,
            "The name of this service: in titles, under links to it, and among the programs of a \
             phone.",
        ),
        any(
            "favicon",
            |s| &mut s.pages.favicon,
            "The icon of the pages: the path of an image of a megabyte at most, which starts at \
             the root folder if relative, or an address of the web. Unset, it is the built-in one.",
        ),
        any(
            "socialMeta.description",
            |s| &mut s.pages.description,
            "The text that other programs show under a link to a pad. Unset, it is a translated \
             one.",
        ),
        any(
            "showRecentPads",
            |s| &mut s.pages.recent_pads,
            "Show on the first page which pads were opened last in this browser.",
        ),
        any(
            "enableDarkMode",
            |s| &mut s.pages.dark_mode,
            "Follow the browser when it prefers dark colours. When off, pages are light, except \
             for those who have chosen dark ones themselves.",
        ),
        any(
            "customLocaleStrings",
            |s| &mut s.pages.messages,
            "Texts of the pages in words of your own: by language, then by the name of the text, \
             ours as in `web/locales/en.json` or Etherpad's where there is the like.",
        ),
    ],
};

pub(super) const EDITOR: Section = Section {
    title: "Editor",
    rows: &[
        any(
            "padOptions.noColors",
            |s| &mut s.pages.options.no_colors,
            "Do not colour text by its author.",
        ),
        any(
            "padOptions.showControls",
            |s| &mut s.pages.options.show_controls,
            "Show the toolbar.",
        ),
        any(
            "padOptions.showChat",
            |s| &mut s.pages.options.show_chat,
            "Offer the chat.",
        ),
        any(
            "padOptions.showLineNumbers",
            |s| &mut s.pages.options.show_line_numbers,
            "Number the lines.",
        ),
        any(
            "padOptions.useMonospaceFont",
            |s| &mut s.pages.options.monospace_font,
            "Use a font whose characters are equally wide.",
        ),
        any(
            "padOptions.userName",
            |s| &mut s.pages.options.user_name,
            "The name of somebody who has not given one.",
        ),
        any(
            "padOptions.userColor",
            |s| &mut s.pages.options.user_color,
            "The colour of somebody who has not chosen one, such as `#a0c8ff`.",
        ),
        any(
            "padOptions.rtl",
            |s| &mut s.pages.options.right_to_left,
            "Write from right to left.",
        ),
        any(
            "padOptions.alwaysShowChat",
            |s| &mut s.pages.options.always_show_chat,
            "Keep the chat open beside the text.",
        ),
        any(
            "padOptions.chatAndUsers",
            |s| &mut s.pages.options.chat_and_users,
            "Keep the chat and the list of people open beside the text.",
        ),
        any(
            "padOptions.lang",
            |s| &mut s.pages.options.language,
            "The language of the pages, such as `de`. Unset, it is the browser's.",
        ),
        any(
            "padOptions.fadeInactiveAuthorColors",
            |s| &mut s.pages.options.fade_inactive_authors,
            "Make the colours of those who are not there paler.",
        ),
        any(
            "padOptions.enforceReadableAuthorColors",
            |s| &mut s.pages.options.readable_author_colors,
            "Lighten colours on which text would be hard to read.",
        ),
        any(
            "padOptions.showFonts",
            |s| &mut s.pages.options.show_fonts,
            "Offer fonts and sizes of text in the toolbar and among the commands. Text that has \
             them is shown with them in any case. Not a key of Etherpad.",
        ),
        any(
            "padShortcutEnabled",
            |s| &mut s.pages.shortcuts,
            "Which keys of the pad work; those that are not named do.",
        ),
        any(
            "toolbar.left",
            |s| &mut s.pages.toolbar.left,
            "The buttons of the bar above the text, in groups. A button that is not named is not \
             shown. Unset, it is the bar as it is made.",
        ),
        any(
            "toolbar.right",
            |s| &mut s.pages.toolbar.right,
            "The same for the buttons in the head of the page; the chat is offered by \
             `padOptions.showChat`, and the menu keeps what no button is for.",
        ),
        any(
            "toolbar.timeslider",
            |s| &mut s.pages.toolbar.history,
            "The same for the head of the history, which has no settings of its own.",
        ),
        whole(
            "automaticReconnectionTimeout",
            (0, 86_400),
            |s| &mut s.pages.reconnect_seconds,
            "After how many seconds the page of a pad from which the server has sent somebody away \
             loads again by itself, longer each time in a row; 0 is only when asked. Lost \
             connections come back by themselves in any case.",
        ),
        any(
            "indentationOnNewLine",
            |s| &mut s.pages.indent_new_lines,
            "Begin a new line with the spaces of the line before, and four more if that ends in \
             `:`, `[`, `(` or `{`.",
        ),
    ],
};

pub(super) const PRIVACY: Section = Section {
    title: "Privacy",
    rows: &[
        any(
            "privacyBanner.enabled",
            |s| &mut s.pages.banner.enabled,
            "Show a notice about privacy at the bottom of every pad page.",
        ),
        any(
            "privacyBanner.title",
            |s| &mut s.pages.banner.title,
            "Its title.",
        ),
        any(
            "privacyBanner.body",
            |s| &mut s.pages.banner.body,
            "Its text, plain; each line is a paragraph.",
        ),
        any(
            "privacyBanner.learnMoreUrl",
            |s| &mut s.pages.banner.learn_more,
            "An address with more about it: `http`, `https` or `mailto`.",
        ),
        any(
            "privacyBanner.dismissal",
            |s| &mut s.pages.banner.dismissal,
            "Whether the notice stays closed in that browser once somebody closed it, or is back \
             when the page is loaded again.",
        )
        .lenient(),
        any(
            "privacy.updateCheck",
            |s| &mut s.privacy.update_check,
            "Let the service ask `updateServer` for the newest version.",
        )
        .variable("PRIVACY_UPDATE_CHECK"),
        any(
            "privacy.pluginCatalog",
            |s| &mut s.privacy.plugin_catalog,
            "Let the admin area ask `updateServer` for the catalogue of Etherpad's plugins, and \
             `plugins.catalogue` for plugins to install.",
        )
        .variable("PRIVACY_PLUGIN_CATALOG"),
        any(
            "updateServer",
            |s| &mut s.privacy.update_server,
            "Where `info.json` is asked for the newest version, and `plugins.json` for the \
             catalogue of plugins. Unset, nothing is asked.",
        ),
    ],
};
