#include "core/access/event_fields.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace slashpost {

namespace {

constexpr std::string_view ellipsis = "\xe2\x80\xa6";

// The beginning of a long text, cut between two characters.
std::string shortened(std::string_view text) {
    if (text.size() <= event_text_bytes_max)
        return std::string(text);
    std::size_t end = event_text_bytes_max;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80)
        --end;
    return std::string(text.substr(0, end)).append(ellipsis);
}

std::vector<std::string> shortened(std::vector<std::string> values) {
    values.resize(std::min(values.size(), event_list_items_max));
    for (auto& value : values)
        value = shortened(value);
    return values;
}

// Of money, which has three decimals at most.
std::string decimal(std::int64_t thousandths) {
    return fmt::format("{}.{:03}", thousandths / 1000, thousandths % 1000);
}

class Fields {
  public:
    Fields& text(std::string_view name, std::string_view value) {
        return add(name, ValueKind::text,
                   value.empty() ? std::vector<std::string>() : std::vector{std::string(value)});
    }
    Fields& id(std::string_view name, const RawId& value) {
        return text(name, value.empty() ? std::string() : value.hex());
    }
    Fields& flag(std::string_view name, std::optional<bool> value) {
        return add(name, ValueKind::boolean,
                   value ? std::vector<std::string>{*value ? "true" : "false"} : std::vector<std::string>());
    }
    Fields& number(std::string_view name, std::optional<std::int64_t> value) {
        return add(name, ValueKind::number,
                   value ? std::vector{std::to_string(*value)} : std::vector<std::string>());
    }
    Fields& time(std::string_view name, std::optional<Timestamp> value) {
        return add(name, ValueKind::time, value ? std::vector{to_iso(*value)} : std::vector<std::string>());
    }
    template <class Items, class TextOf>
    Fields& list(std::string_view name, const Items& items, TextOf&& text_of) {
        std::vector<std::string> texts;
        texts.reserve(items.size());
        for (const auto& item : items)
            texts.push_back(text_of(item));
        return add(name, ValueKind::list, std::move(texts));
    }
    // Of the field before.
    Fields& always() {
        fields_.back().always = true;
        return *this;
    }
    ShownFields take() { return std::move(fields_); }

  private:
    Fields& add(std::string_view name, ValueKind kind, std::vector<std::string> values) {
        fields_.push_back({.name = name, .kind = kind, .values = std::move(values)});
        return *this;
    }
    ShownFields fields_;
};

constexpr auto hex_of = [](const RawId& id) { return id.hex(); };

std::string property_of(const RuleCondition& condition) {
    switch (condition.property) {
    case RuleProperty::country:
        return "country";
    case RuleProperty::language:
        return "language";
    case RuleProperty::device:
        return "device";
    case RuleProperty::os:
        return "os";
    case RuleProperty::browser:
        return "browser";
    case RuleProperty::time:
        return "time";
    case RuleProperty::query:
        return "query." + condition.name;
    }
    return {};
}

std::string_view word_of(RuleOperator op) {
    switch (op) {
    case RuleOperator::in:
        return "in";
    case RuleOperator::not_in:
        return "not-in";
    case RuleOperator::before:
        return "before";
    case RuleOperator::after:
        return "after";
    }
    return {};
}

// "country in de, at and device in mobile: https://example.com/de"
std::string words_of(const LinkRule& rule) {
    std::vector<std::string> conditions;
    conditions.reserve(rule.conditions.size());
    for (const auto& condition : rule.conditions)
        conditions.push_back(fmt::format("{} {} {}", property_of(condition), word_of(condition.op),
                                         fmt::join(condition.values, ", ")));
    return fmt::format("{}: {}", fmt::join(conditions, " and "), rule.destination);
}

std::string words_of(const RotatorRule& rule) {
    return rule.weight ? fmt::format("{} x {}", *rule.weight, rule.destination) : rule.destination;
}

std::string words_of(const DeepLink& link) {
    return fmt::format("{}: {}{}", link.app, link.path, link.active ? "" : " (not active)");
}

} // namespace

ShownFields shown_fields(const Link& link) {
    return Fields()
        .text("slashtag", link.slashtag)
        .list("aliases", link.aliases, [](const LinkAlias& alias) { return alias.slashtag; })
        .id("domainId", link.domain)
        .text("destination", link.destination)
        .text("title", link.title)
        .text("description", link.description)
        .text("type", link.type == LinkType::rotator ? "rotator" : "standard")
        .text("status", to_string(link.status))
        .flag("favourite", link.favourite)
        .flag("forwarding.parameters", link.own_forwarding().parameters)
        .text("forwarding.onConflict", word_of(link.on_conflict))
        .number("redirectType", link.redirect_type == 0 ? std::nullopt : std::optional(link.redirect_type))
        .time("expiresAt", link.expires_at)
        .time("activeFrom", link.active_from)
        .text("expiredUrl", link.expired_url)
        .time("passwordSetAt", link.password_set_at)
        .number("maxClicks", link.clicks_max == 0 ? std::nullopt : std::optional(link.clicks_max))
        .text("externalId", link.external_id)
        .flag("passPath", link.pass_path)
        .list("tags", link.tags, hex_of)
        .list("scripts", link.scripts, hex_of)
        .take();
}

ShownFields shown_fields(const LinkParts& parts) {
    const auto graph = parts.open_graph.value_or(OpenGraph{});
    const auto in_words = [](const auto& part) { return words_of(part); };
    return Fields()
        .list("rules", parts.rules, in_words)
        .list("rotator", parts.rotator, in_words)
        .text("openGraph.title", graph.title)
        .text("openGraph.description", graph.description)
        .text("openGraph.image", graph.image)
        .text("openGraph.type", graph.type)
        .text("openGraph.locale", graph.locale)
        .list("deepLinks", parts.deep_links, in_words)
        .take();
}

ShownFields shown_fields(const Domain& domain) {
    return Fields()
        .text("fullName", domain.full_name)
        .text("type", domain.type == DomainType::service ? "service" : "user")
        .flag("verified", domain.verified)
        .flag("active", domain.active)
        .flag("revoked", domain.revoked)
        .number("redirectType", domain.redirect_type)
        .text("customHomepage", domain.custom_homepage)
        .text("notFoundUrl", domain.not_found_url)
        .text("expiredUrl", domain.expired_url)
        .flag("forwarding.parameters", domain.forwarding.parameters)
        .text("forwarding.onConflict", word_of(domain.forwarding.on_conflict))
        .number("slashtag.minLength", domain.slashtag.length_min)
        .number("slashtag.maxLength", domain.slashtag.length_max)
        .flag("slashtag.caseSensitive", domain.slashtag.case_sensitive)
        .text("slashtag.charset", word_of(domain.slashtag.charset))
        .text("appleAppSiteAssociation", domain.apple_app_site_association)
        .text("assetLinks", domain.asset_links)
        .text("branding.name", domain.branding.name)
        .text("branding.color", domain.branding.color)
        .text("branding.logoUrl", domain.branding.logo_url)
        .text("branding.homeText", domain.branding.home_text)
        .list("aliases", domain.aliases,
              [](const DomainAlias& alias) {
                  return alias.verified ? alias.full_name : alias.full_name + " (not verified)";
              })
        .take();
}

ShownFields shown_fields(const Tag& tag) {
    return Fields().text("name", tag.name).text("color", tag.color).flag("active", tag.active).take();
}

ShownFields shown_fields(const Script& script) {
    return Fields().text("name", script.name).text("value", script.value).text("uri", script.uri).take();
}

ShownFields shown_fields(const Workspace& workspace) {
    return Fields()
        .text("name", workspace.name)
        .text("type", to_string(workspace.type))
        .id("ownerId", workspace.owner)
        .flag("revoked", workspace.revoked)
        .flag("trashed", workspace.trashed)
        .text("notes", workspace.notes)
        .text("avatarUrl", workspace.avatar_url)
        .text("timezone", workspace.time_zone)
        .number("expiration.ttl", workspace.default_ttl_seconds)
        .flag("conversionTracking.enabled", workspace.conversion_enabled)
        .number("conversionTracking.attributionWindow", workspace.attribution_window_days)
        .text("conversionTracking.parameter", workspace.click_id_parameter)
        .take();
}

ShownFields shown_fields(const Member& member) {
    return Fields().text("role", to_string(member.role)).always().take();
}

ShownFields shown_fields(const Invite& invite) {
    return Fields()
        .text("email", invite.email)
        .id("accountId", invite.invitee)
        .text("role", to_string(invite.role))
        .always()
        .take();
}

ShownFields shown_fields(const Conversion& conversion) {
    return Fields()
        .id("linkId", conversion.link)
        .text("event", conversion.event)
        .text("value", conversion.value_thousandths ? decimal(*conversion.value_thousandths) : std::string())
        .text("currency", conversion.currency)
        .time("clickedAt", conversion.clicked_at)
        .take();
}

ShownFields shown_fields(const ImportState& state) {
    const auto count = [](std::uint64_t number) { return static_cast<std::int64_t>(number); };
    return Fields()
        .number("made", count(state.made))
        .number("same", count(state.same))
        .number("skipped", count(state.skipped))
        .number("overwritten", count(state.overwritten))
        .number("refused", count(state.refused))
        .take();
}

std::vector<FieldChange> changes_between(ShownFields was, ShownFields now) {
    std::vector<FieldChange> out;
    for (std::size_t i = 0; i < now.size(); ++i)
        if (was[i].values != now[i].values)
            out.push_back({.name = std::string(now[i].name),
                           .kind = now[i].kind,
                           .before = shortened(std::move(was[i].values)),
                           .after = shortened(std::move(now[i].values)),
                           .unknown = {}});
    return out;
}

std::vector<FieldChange> changes_of_new(ShownFields row, const ShownFields& usual) {
    std::vector<FieldChange> out;
    for (std::size_t i = 0; i < row.size(); ++i)
        if (row[i].always || row[i].values != usual[i].values)
            out.push_back({.name = std::string(row[i].name),
                           .kind = row[i].kind,
                           .before = {},
                           .after = shortened(std::move(row[i].values)),
                           .unknown = {}});
    return out;
}

std::vector<FieldChange> changes_of_erased(ShownFields row, const ShownFields& usual) {
    auto out = changes_of_new(std::move(row), usual);
    for (auto& change : out)
        std::swap(change.before, change.after);
    return out;
}

} // namespace slashpost
