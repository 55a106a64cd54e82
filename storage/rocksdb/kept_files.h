#pragma once
// While one lives, RocksDB removes no file, so that what is listed is there to be read.
#include <rocksdb/db.h>

namespace slashpost::storage {

class KeptFiles {
  public:
    explicit KeptFiles(rocksdb::DB& db) : db_(db), outcome_(db.DisableFileDeletions()) {}
    ~KeptFiles() {
        if (outcome_.ok())
            db_.EnableFileDeletions(/*force=*/false).PermitUncheckedError();
    }
    KeptFiles(const KeptFiles&) = delete;
    KeptFiles& operator=(const KeptFiles&) = delete;

    [[nodiscard]] const rocksdb::Status& outcome() const { return outcome_; }

  private:
    rocksdb::DB& db_;
    const rocksdb::Status outcome_;
};

} // namespace slashpost::storage
