#include "app/admin/rollup_keys.h"

namespace slashpost::admin {

Subject KnownSubject::subject() const {
    switch (kind) {
    case SubjectKind::link:
        return Subject::of(LinkId(id));
    case SubjectKind::tag:
        return Subject::of(TagId(id));
    case SubjectKind::workspace:
        return Subject::of(WorkspaceId(id));
    case SubjectKind::domain:
        break;
    }
    return Subject::of(DomainId(id), workspace);
}

std::optional<KnownSubject> take_subject(data::BytesView& key) {
    constexpr std::size_t id_bytes = sizeof(RawId);
    if (key.empty() || key.front() < '\x01' || key.front() > '\x04')
        return std::nullopt;
    KnownSubject out{.kind = static_cast<SubjectKind>(key.front()), .id = {}, .workspace = {}};
    key.remove_prefix(1);
    const bool is_part = out.kind == SubjectKind::domain;
    if (key.size() < (is_part ? 2 * id_bytes : id_bytes))
        return std::nullopt;
    out.id = *RawId::from_bytes(key.substr(0, id_bytes));
    key.remove_prefix(id_bytes);
    if (is_part) {
        out.workspace = *WorkspaceId::from_bytes(key.substr(0, id_bytes));
        key.remove_prefix(id_bytes);
    }
    return out;
}

std::optional<RollupKey> read_rollup_key(data::BytesView key) {
    const auto subject = take_subject(key);
    if (!subject || key.size() != 5 || key.front() < '\0' || key.front() > static_cast<char>(Grain::hour))
        return std::nullopt;
    RollupKey out{.subject = *subject, .grain = static_cast<Grain>(key.front())};
    for (const char byte : key.substr(1))
        out.bucket = out.bucket << 8U | static_cast<unsigned char>(byte);
    return out;
}

std::string_view name_of(SubjectKind kind) {
    switch (kind) {
    case SubjectKind::link:
        return "link";
    case SubjectKind::tag:
        return "tag";
    case SubjectKind::workspace:
        return "workspace";
    case SubjectKind::domain:
        break;
    }
    return "domain";
}

} // namespace slashpost::admin
