// Who is shown what in a workspace, screen by screen, and which call of the API is behind it: typed by hand from the roles of
// the wire ("viewer reads; guest also creates links and edits its own; user edits every link and its parts, tags and scripts;
// admin also settings, domains, people; owner also deletes the workspace") and of tests/spec/access.txt. What is not here
// must not be there. matrix_test.py makes what the names in braces stand for.
export const ROLES = ["viewer", "guest", "user", "admin", "owner"];

const NOBODY = "0".repeat(32); // an id that nothing has: who may is told so, and nothing is gone

/**
 * From this role on there is a control of this name, and the server does what the call asks: it answers `done`, and to lower
 * roles `refused`. `after` is what the owner asks for then.
 */
const row = (least, name, call, { body, done = call?.includes(NOBODY) ? 404 : 200, refused = 403, after } = {}) => ({ least, name, call, body, done, refused, after });
const all = (...names) => names.map((name) => row("viewer", name));
const some = (least, ...names) => names.map((name) => row(least, name));
/** Only who has less than this role is shown it. */
const below = (role, name) => ({ below: role, name });

const PERIODS = ["24 hours", "7 days", "30 days", "90 days", "12 months"];
const STATISTICS = all(...PERIODS, "Days …", "Compare with the period before", "Chart", "Table", "CSV", "Country", "Language", "Device", "System", "Browser", "Referrer", "QR code", "Campaign", "Source", "Medium", "Rule", "Rotator");
const TABS = ["Statistics", "Rules", "Preview card", "Deep links", "Scripts", "Conversions", "History"];
const TRY_OUT = all("Device", "System", "Country code", "Language", "Query of the visit");
const DESTINATION = { destination: "https://example.com/other" };
const RULE = { ...DESTINATION, condition: { and: [{ property: "req.device", operator: "in", values: ["tablet"] }] } };
const APPS = [
  "Airbnb", "Amazon", "Apple Music", "Booking.com", "Deezer", "Discord", "eBay", "Etsy", "Facebook", "LinkedIn", "Medium", "Messenger", "Netflix",
  "Pinterest", "Reddit", "Shazam", "Signal", "Slack", "Snapchat", "SoundCloud", "Spotify", "Strava", "Telegram", "TikTok", "Tripadvisor", "Tumblr",
  "Twitch", "Uber", "Vimeo", "Waze", "WhatsApp", "X", "Yelp", "YouTube", "Zoom",
];

/** What stands above the parts of a link; `least` may change it. */
const head = (title, least, ...tabs) => [...all(`Copy go/${title.toLowerCase()}`, "QR code", ...TABS, ...tabs), ...some(least, `Favourite: ${title}`, "Pause", "Delete", "Edit")];

/** The same with the calls. A link is deleted that was made for it a moment before. */
const headWithCalls = (title, least, id, fresh) => [
  ...all(`Copy go/${title.toLowerCase()}`, "QR code", ...TABS),
  row(least, `Favourite: ${title}`, `POST /links/{${id}}/favourite`, { body: { favourite: false } }),
  row(least, "Pause", `POST /links/{${id}}`, { body: { active: true } }),
  row(least, "Delete", "DELETE /links", { body: { links: [`{${fresh}}`] } }),
  row(least, "Edit", `POST /links/{${id}}`, { body: { description: "Of whoever may" } }),
];

async function newLinkWithTemplate(page) {
  await page.keyboard.press("n");
  await page.locator("dialog[open]").getByLabel("Destination").fill("https://example.com/");
  await page.getByText("Campaign (UTM)").click();
  await page.getByLabel("Template", { exact: true }).selectOption("Spring");
}

const LINKS = [
  {
    name: "links",
    address: "/links",
    key: { press: "n", least: "guest" },
    shown: [
      ...all("Search links", "Filters", "Order", ...["hers", "his", "told", "wheel"].map((one) => `Copy go/${one}`), ...["Hers", "His", "Told", "Wheel"].map((one) => `QR code of ${one}`)),
      row("guest", "New link", "POST /links", { body: DESTINATION }),
      ...some("guest", "Choose all on this page", "Choose Hers", "Choose His", "Choose Told", "Choose Wheel"),
      row("guest", "Favourite: His", "POST /links/{his}/favourite", { body: { favourite: false } }),
      row("guest", "Edit His", "POST /links/{his}", { body: { description: "Of a guest" } }),
      row("user", "Favourite: Hers", "POST /links/{hers}/favourite", { body: { favourite: false } }),
      row("user", "Edit Hers", "POST /links/{hers}", { body: { description: "Of a user" } }),
      ...some("user", "Favourite: Told", "Edit Told", "Favourite: Wheel", "Edit Wheel"),
    ],
  },
  {
    name: "all links chosen",
    address: "/links",
    least: "guest",
    act: (page) => page.getByLabel("Choose all on this page").check(),
    root: (page) => page.locator(".bulk"),
    shown: [
      row("guest", "Add tag", "POST /links/{his}/tags/{alpha}", { after: "DELETE /links/{his}/tags/{alpha}" }),
      row("guest", "Pause", "POST /links/{his}", { body: { active: true } }),
      row("guest", "Delete", "DELETE /links", { body: { links: ["{freshHis}"] } }),
      row("guest", "Choose none"),
    ],
  },
  {
    name: "a link of somebody else chosen",
    address: "/links",
    least: "guest",
    act: (page) => page.getByLabel("Choose Hers").check(),
    root: (page) => page.locator(".bulk"),
    shown: [
      row("user", "Add tag", "POST /links/{hers}/tags/{alpha}", { after: "DELETE /links/{hers}/tags/{alpha}" }),
      row("user", "Pause", "POST /links/{hers}", { body: { active: true } }),
      row("user", "Delete", "DELETE /links", { body: { links: ["{freshHers}"] } }),
      row("guest", "Choose none"),
    ],
  },
  {
    name: "the templates of campaigns",
    address: "/links",
    least: "guest",
    act: newLinkWithTemplate,
    root: (page) => page.locator("dialog[open] details.part", { hasText: "Campaign (UTM)" }),
    shown: [
      ...some("guest", "Template", "Source", "Medium", "Campaign", "Term", "Content"),
      row("user", "Keep as a template", "POST /workspaces/{workspace}/utm-templates", { body: { name: "Of {role}", source: "mail" } }),
      row("user", "Rename the template", "POST /workspaces/{workspace}/utm-templates", { body: { name: "By {role}", replaces: "Of {role}", source: "mail" } }),
      row("user", "Delete the template", "DELETE /workspaces/{workspace}/utm-templates/none", { done: 404 }),
    ],
  },
];

const LINK = [
  { name: "a link", address: "/links/{hers}", key: { press: "e", least: "user" }, shown: [...headWithCalls("Hers", "user", "hers", "freshHers"), ...STATISTICS] },
  { name: "a link of a guest", address: "/links/{his}", key: { press: "e", least: "guest" }, shown: [...headWithCalls("His", "guest", "his", "freshHis"), ...STATISTICS] },
  {
    name: "its rules",
    address: "/links/{hers}/rules",
    shown: [
      ...head("Hers", "user"),
      ...TRY_OUT,
      row("user", "New rule", "POST /links/{hers}/rules", { body: RULE }),
      row("user", "Move rule 1 down", "POST /links/{hers}/rules/{rule}", { body: { rank: 1 } }),
      row("user", "Move rule 2 up"),
      row("user", "Edit rule 1", "POST /links/{hers}/rules/{rule}", { body: DESTINATION }),
      row("user", "Edit rule 2"),
      row("user", "Delete rule 1", `DELETE /links/{hers}/rules/${NOBODY}`),
      row("user", "Delete rule 2"),
    ],
  },
  { name: "the rules of a guest's", address: "/links/{his}/rules", shown: [...head("His", "guest"), ...TRY_OUT, row("guest", "New rule", "POST /links/{his}/rules", { body: RULE })] },
  {
    name: "a rotator",
    address: "/links/{wheel}/rotator",
    shown: [
      ...head("Wheel", "user", "Rotator"),
      ...some("user", "By weight", "In turn", "Destination 1", "Weight", "Remove destination 1", "Add destination"),
      row("user", "Save", "PUT /links/{wheel}/rotator", { body: [{ ...DESTINATION, weight: 1 }] }),
    ],
  },
  {
    name: "its preview card",
    address: "/links/{hers}/preview",
    shown: [
      ...head("Hers", "user"),
      ...some("user", "Title", "Description", "Address of the picture", "Kind", "Language"),
      row("user", "Save", "POST /links/{hers}/opengraph", { body: { title: "Hers" } }),
      row("user", "Use the destination's preview", "DELETE /links/{hers}/opengraph"),
    ],
  },
  {
    name: "its deep links",
    address: "/links/{hers}/apps",
    shown: [
      ...head("Hers", "user"),
      ...some("user", ...APPS),
      row("user", "Instagram", "POST /links/{hers}/apps/instagram", { body: { path: "slashpost", active: true } }),
      row("user", "Opens Instagram"),
      row("user", "Remove", "DELETE /links/{hers}/apps/instagram"),
    ],
  },
  { name: "its scripts", address: "/links/{hers}/scripts", shown: [...head("Hers", "user"), row("user", "Pixel", "POST /links/{hers}/scripts/{script}", { after: "DELETE /links/{hers}/scripts/{script}" })] },
  { name: "its conversions", address: "/links/{hers}/conversions", shown: [...head("Hers", "user"), ...all(...PERIODS)] },
  { name: "its history", address: "/links/{told}/history", shown: [...head("Told", "user"), row("user", "As before", "POST /links/{told}/restore", { body: { event: "{event}" } })] },
];

const LABELS = [
  {
    name: "tags",
    address: "/tags",
    key: { press: "n", least: "user" },
    shown: [
      ...all("Search tags"),
      row("user", "New tag", "POST /tags", { body: { name: "of {role}" } }),
      row("user", "Edit alpha", "POST /tags/{alpha}", { body: { name: "alpha", color: "3366ff" } }),
      row("user", "Merge alpha into another tag", "POST /links/{hers}/tags/{alpha}", { after: "DELETE /links/{hers}/tags/{alpha}" }),
      row("user", "Delete alpha", `DELETE /tags/${NOBODY}`),
      ...some("user", "Edit beta", "Merge beta into another tag", "Delete beta"),
    ],
  },
  { name: "a tag", address: "/tags/{alpha}", shown: [...STATISTICS, row("user", "Edit", "POST /tags/{alpha}", { body: { name: "alpha", color: "ff8800" } })] },
  {
    name: "scripts",
    address: "/scripts",
    key: { press: "n", least: "user" },
    shown: [
      ...all("Search scripts"),
      row("user", "New script", "POST /scripts", { body: { name: "Of {role}", value: "/* nothing */" } }),
      row("user", "Edit Pixel", "POST /scripts/{script}", { body: { name: "Pixel", value: "/* nothing */", uri: null } }),
      row("user", "Delete Pixel", `DELETE /scripts/${NOBODY}`),
    ],
  },
];

const PARTS_OF_A_DOMAIN = [...all("Names and DNS", "Settings", "Branding", "Statistics"), row("admin", "Workspaces", "GET /domains/{domain}/workspaces")];
const RECORD = all("Copy: Type", "Copy: Name", "Copy: Value");

const DOMAINS = [
  { name: "domains", address: "/domains", key: { press: "n", least: "admin" }, shown: [...all("Search domains"), row("admin", "Add domain", "POST /domains", { body: { fullName: "{role}.matrix.example" } })] },
  {
    name: "a domain",
    address: "/domains/{domain}",
    shown: [
      ...PARTS_OF_A_DOMAIN,
      ...RECORD,
      row("admin", "Delete", `DELETE /domains/${NOBODY}`),
      row("admin", "Further name", "PATCH /domains/{domain}", { body: { aliases: [{ fullName: "www.matrix.example" }] } }),
      row("admin", "Remove www.matrix.example"),
      row("admin", "Look for the record of www.matrix.example", "POST /domains/{domain}/aliases/none.example/verify", { done: 404 }),
    ],
  },
  {
    name: "a domain to be verified",
    address: "/domains/{pending}",
    shown: [...PARTS_OF_A_DOMAIN.map(({ call, ...rest }) => rest), ...RECORD, row("admin", "Look for the record of new.matrix.example", `POST /domains/${NOBODY}/verify`), ...some("admin", "Delete", "Further name")],
  },
  {
    name: "its settings",
    address: "/domains/{domain}/settings",
    shown: [
      ...PARTS_OF_A_DOMAIN,
      row("admin", "Switched on", "PATCH /domains/{domain}", { body: { active: true } }),
      ...some("admin", "How visitors are sent on", "Home page", "For unknown addresses", "For expired and paused links", "Shortest, in characters", "Longest, in characters"),
      ...some("admin", "Capital letters make a difference", "What they have", "Hand the visitor's parameters on", "Same name twice", "Delete"),
    ],
  },
  {
    name: "its branding",
    address: "/domains/{domain}/branding",
    shown: [...PARTS_OF_A_DOMAIN, row("admin", "Name at the head", "PATCH /domains/{domain}", { body: { branding: { name: "Matrix" } } }), ...some("admin", "A colour of your own", "Address of a picture", "Text of the home page", "Delete")],
  },
  {
    name: "its workspaces",
    address: "/domains/{domain}/shares",
    least: "admin",
    shown: [
      ...PARTS_OF_A_DOMAIN,
      row("admin", "Delete"),
      row("admin", "Take away from Matrix", `DELETE /domains/{domain}/workspaces/${NOBODY}`),
      ...some("owner", "Share with a workspace", "Share"), // whose the domain is: into other workspaces of theirs
    ],
  },
  { name: "its workspaces, for who may not see them", address: "/domains/{domain}/shares", most: "user", shown: [...PARTS_OF_A_DOMAIN, ...RECORD] },
  { name: "its statistics", address: "/domains/{domain}/statistics", shown: [...PARTS_OF_A_DOMAIN, ...STATISTICS, row("admin", "Delete")] },
];

const PEOPLE = [
  {
    name: "people",
    address: "/people",
    key: { press: "n", least: "admin" },
    shown: [
      ...all("Search people"),
      row("admin", "Invite people", "POST /workspaces/{workspace}/invite", { body: { emails: ["{role}@else.example"], role: "guest" } }),
      row("admin", "Role of vera", "POST /workspaces/{workspace}/teammates/{vera}", { body: { role: "viewer" } }),
      row("admin", "Remove vera", `DELETE /workspaces/{workspace}/teammates/${NOBODY}`),
      ...some("admin", "Role of gus", "Remove gus", "Role of uma", "Remove uma"),
      ...some("owner", "Role of ada", "Remove ada"), // who is the admin, and stays so by herself
      row("admin", "Withdraw the invite of dora@example.com", `DELETE /workspaces/{workspace}/invites/${NOBODY}`),
    ],
  },
  {
    name: "webhooks",
    address: "/webhooks",
    key: { press: "n", least: "admin" },
    shown: [below("admin", "Try again"), row("admin", "New webhook", "POST /webhooks", { body: { url: "https://receiver.invalid/{role}", types: ["script.deleted"] } })],
  },
  {
    name: "a webhook",
    address: "/webhooks/{webhook}",
    shown: [
      below("admin", "Try again"),
      ...some("admin", "All", "Delivered", "Failed", "Waits", "Queued"),
      row("admin", "Send a test", "POST /webhooks/{webhook}/test"),
      row("admin", "Send again", "POST /webhooks/{webhook}/replay", { body: { from: "2026-02-02T09:00:00.000Z" } }),
      row("admin", "Pause", "POST /webhooks/{webhook}/pause", { after: "POST /webhooks/{webhook}/resume" }),
      row("admin", "New secret", "POST /webhooks/{webhook}/secret"),
      row("admin", "Edit webhook", "POST /webhooks/{webhook}", { body: { description: "Of {role}" } }),
      row("admin", "Delete webhook", `DELETE /webhooks/${NOBODY}`),
    ],
  },
  { name: "history", address: "/history?kind=tag", shown: [...all("Of"), below("admin", "Try again")] },
  { name: "statistics", address: "/statistics", shown: STATISTICS },
  {
    name: "settings",
    address: "/settings",
    shown: [
      row("owner", "Name", "POST /workspaces/{workspace}", { body: { name: "Matrix" }, refused: 404 }),
      ...some("owner", "Notes", "Address of a picture", "Time zone", "New links expire"),
      row("admin", "Track conversions", "POST /workspaces/{workspace}/conversion-tracking", { body: { enabled: false, attributionWindow: 30, parameter: null }, refused: 404 }),
      below("owner", "Leave"), // and the other, at the end of matrix.mjs
      row("owner", "Delete the workspace"),
    ],
  },
];

export const SCREENS = [...LINKS, ...LINK, ...LABELS, ...DOMAINS, ...PEOPLE];

/** The navigation; what is read behind the last ones. */
export const NAVIGATION = [
  ...["Links", "Statistics", "Tags", "Scripts", "Domains", "People", "Settings", "Workspaces", "Account"].map((name) => row("viewer", name)),
  row("admin", "Webhooks", "GET /webhooks"),
  row("admin", "History", "GET /workspaces/{workspace}/audit"),
];
