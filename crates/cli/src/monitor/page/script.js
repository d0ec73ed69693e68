const { spec, alarm } = data();
const to = alarm.to ? ` to ${alarm.to}` : "";
at("headline").append(`${alarm.node} does not follow ${spec}`);
at("where").append(
  `It cannot have sent the message of line ${alarm.line}${to}. All before it is explained; ` +
    `the process may have been in ${alarm.states} state(s).`,
);

function table(id, heads, rows, none) {
  if (rows.length === 0) return at(id).append(element("p", "empty", none));
  const head = element("tr", "", ...heads.map((text) => element("th", "", text)));
  const lines = rows.map((row) => element("tr", "", ...row.map((cell) => element("td", "", cell ?? ""))));
  at(id).append(element("table", "", head, ...lines));
}

at("message").append(element("code", "", alarm.message));
table(
  "nearest",
  ["by", "other fields", "message"],
  (alarm.nearest ?? []).map((near) => [near.action, near.fields.join(", "), near.message]),
  "No action could have sent anything here.",
);
table(
  "missed",
  ["action", "this is FALSE", "place"],
  (alarm.missed ?? []).map((miss) => [miss.action, miss.condition, miss.place]),
  "No action that sends was near.",
);
table("state", ["variable", "value"], (alarm.state ?? []).map((one) => [one.variable, one.value]), "Unknown.");
table(
  "history",
  ["step", "received in line", "sent in line"],
  (alarm.history ?? []).map((step) => [
    step.action ?? (step.sent ? "sent" : "ignored"),
    step.received?.toString(),
    step.sent?.toString(),
  ]),
  "Nothing was seen before.",
);
table("relies", ["condition"], (alarm.relies_on ?? []).map((text) => [text]), "The specification alone.");
