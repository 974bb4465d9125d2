import CArchive
import Glibc

/// An archive that libarchive packs in memory.
enum PackedArchive {
    enum Format {
        case zip, storedZip, zip64, ustar, pax, gnuTar, gzippedTar
    }

    struct Member {
        var path: String
        var bytes: [UInt8] = []
        var type: mode_t = S_IFREG
        /// Whether all bytes but the first 512 are a hole.
        var isSparse = false
    }

    static func bytes(_ format: Format, _ members: [Member], capacity: Int = 4 << 20) -> [UInt8] {
        let archive = archive_write_new()
        defer { archive_write_free(archive) }
        switch format {
        case .zip, .storedZip, .zip64: archive_write_set_format_zip(archive)
        case .ustar: archive_write_set_format_ustar(archive)
        case .pax, .gzippedTar: archive_write_set_format_pax(archive)
        case .gnuTar: archive_write_set_format_gnutar(archive)
        }
        switch format {
        case .storedZip: archive_write_set_options(archive, "zip:compression=store")
        case .zip64: archive_write_set_options(archive, "zip:zip64")
        case .gzippedTar: archive_write_add_filter_gzip(archive)
        default: break
        }
        return [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            archive_write_open_memory(archive, buffer.baseAddress, buffer.count, &count)
            for member in members { add(member, to: archive) }
            archive_write_close(archive)
        }
    }

    private static func add(_ member: Member, to archive: OpaquePointer?) {
        let entry = archive_entry_new()
        defer { archive_entry_free(entry) }
        // Names are converted as the thread's locale has it.
        let before = uselocale(newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))
        defer { uselocale(before) }
        archive_entry_set_pathname(entry, member.path)
        archive_entry_set_filetype(entry, member.type)
        archive_entry_set_perm(entry, 0o644)
        archive_entry_set_size(entry, Int64(member.bytes.count))
        if member.isSparse { archive_entry_sparse_add_entry(entry, 0, 512) }
        archive_write_header(archive, entry)
        _ = member.bytes.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
    }
}
