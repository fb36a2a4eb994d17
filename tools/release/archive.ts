import { execFileSync } from 'node:child_process'
import { gzipSync } from 'node:zlib'

/**
 * Packs files of a directory as `.tar.gz`. The same files give the same bytes: they are sorted, have no dates, and are owned by root. Needs
 * GNU tar.
 * @param names the paths to pack, relative to the directory
 */
export const makeArchive = (directory: string, names: readonly string[]): Uint8Array => {
  const flags = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--format=ustar']
  const tar = execFileSync('tar', ['-c', ...flags, '-C', directory, ...names], { maxBuffer: 2 ** 30 })
  return gzipSync(tar, { level: 9 })
}
