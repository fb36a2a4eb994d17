import { execFileSync } from 'node:child_process'
import { gzipSync } from 'node:zlib'

/**
 * The files of a directory as `.tar.gz`, the same bytes for the same files: sorted, without dates, owned by root. GNU tar.
 * @param names what is packed, relative to the directory
 */
export const archiveOf = (directory: string, names: readonly string[]): Uint8Array => {
  const flags = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--format=ustar']
  const tar = execFileSync('tar', ['-c', ...flags, '-C', directory, ...names], { maxBuffer: 2 ** 30 })
  return gzipSync(tar, { level: 9 })
}
