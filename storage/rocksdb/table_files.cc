#include "storage/rocksdb/table_files.h"

#include "storage/rocksdb/kept_files.h"
#include "storage/rocksdb/status.h"

#include <rocksdb/db.h>
#include <rocksdb/metadata.h>
#include <rocksdb/sst_file_reader.h>

#include <vector>

namespace slashpost::storage {

namespace {

rocksdb::Status verify_file(const rocksdb::Options& options, const std::string& path) {
    rocksdb::SstFileReader reader(options);
    auto status = reader.Open(path);
    return status.ok() ? reader.VerifyChecksum() : status;
}

} // namespace

Result<void> verify_table_files(rocksdb::DB& db, const data::Tell& tell) {
    const KeptFiles kept(db);
    if (!kept.outcome().ok())
        return read_failed(kept.outcome(), "verifying checksums");
    std::vector<rocksdb::LiveFileMetaData> files;
    db.GetLiveFilesMetaData(&files);
    double all = 0;
    for (const auto& file : files)
        all += static_cast<double>(file.size);
    const auto options = db.GetOptions();
    double done = 0;
    for (const auto& file : files) {
        if (const auto status = verify_file(options, file.db_path + file.name); !status.ok())
            return read_failed(status, "verifying checksums");
        done += static_cast<double>(file.size);
        TRY(tell(done / all));
    }
    return {};
}

} // namespace slashpost::storage
