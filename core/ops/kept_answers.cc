#include "core/ops/kept_answers.h"

#include "core/access/ended_rows.h"
#include "core/base/sealed.h"
#include "core/base/secret.h"
#include "core/schema/schema.h"

namespace slashpost {

namespace {

const KeptAnswerTable& answers() { return schema().kept_answers; }

data::Bytes primary_of(AccountId account, std::string_view key) {
    return KeptAnswer::primary_of({.account = account, .key_hash = sha256(key), .created_at = {}});
}

Result<void> drop_oldest(Context& ctx) {
    data::Bytes oldest;
    TRY(answers().by_account.walk(ctx.txn(), {.scope = data::key(ctx.account.id)},
                                  [&](data::BytesView primary) -> Result<bool> {
                                      oldest = primary;
                                      return false;
                                  }));
    if (const auto row = TRY(answers().find(ctx.txn(), oldest)))
        TRY(answers().remove(ctx.txn(), *row));
    return {};
}

} // namespace

Result<std::optional<RepeatedCall>> find_repeated(Context& ctx, std::string_view key,
                                                  std::string_view fingerprint) {
    const auto row = TRY(answers().find(ctx.view(), primary_of(ctx.account.id, key)));
    if (!row || row->ends_at() <= ctx.now)
        return std::optional<RepeatedCall>();
    auto answer = unseal(row->sealed, key);
    if (!answer)
        return fault("a kept answer cannot be opened with its key");
    return RepeatedCall{.is_same = equal_in_constant_time(row->fingerprint, fingerprint),
                        .answer = *std::move(answer)};
}

Result<void> keep_answer(Context& ctx, std::string_view key, std::string_view fingerprint,
                         std::string_view answer, std::int64_t answers_max) {
    auto& txn = ctx.txn();
    if (const auto over = TRY(answers().find(txn, primary_of(ctx.account.id, key))))
        TRY(answers().remove(txn, *over));
    if (TRY(answers().per_account.count(txn, ctx.account.id)) >= answers_max)
        TRY(drop_oldest(ctx));
    return answers().insert(txn, {.account = ctx.account.id,
                                  .key_hash = sha256(key),
                                  .fingerprint = std::string(fingerprint),
                                  .sealed = seal(answer, key, ctx.random),
                                  .created_at = ctx.now,
                                  .unknown = {}});
}

Result<bool> prune_kept_answers(SystemContext& system) { return erase_ended(system, answers()); }

} // namespace slashpost
