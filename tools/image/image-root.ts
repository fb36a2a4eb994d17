import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ImageFile } from './image-files.ts'

/** The UID and GID of the user `nonroot` in distroless images. */
const NONROOT = 65532

/** Returns the shared libraries that a program loads, as found by `ldd`. The base image contains these in addition to Node.js. */
const librariesOf = (program: string): readonly string[] =>
  execFileSync('ldd', [program], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => /(?:=> )?(\/\S+) \(0x/.exec(line)?.[1] ?? [])

/** Reports whether this machine allows an ordinary user to change the root directory. */
export const canHaveRoot = (): boolean =>
  process.platform === 'linux' &&
  spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'unshare', '--user', `--map-user=${NONROOT}`, 'true'])
    .status === 0

/**
 * A directory with the file system that a container of the image has: Node.js and its libraries at the same paths as in the base image, and
 * the image's files. Programs run in it as the image's user, with the directory as their whole file system.
 */
export class ImageRoot {
  readonly directory: string

  /** @param isEmpty leaves out the files of the base image, for an unpacked image that already contains them */
  constructor(files: readonly ImageFile[], isEmpty = false) {
    this.directory = mkdtempSync(join(tmpdir(), 'kerf-image-'))
    if (isEmpty) return
    this.#copy(process.execPath, '/nodejs/bin/node')
    for (const library of librariesOf(process.execPath)) this.#copy(library, library)
    for (const { name, content } of files) this.write(`/app/${name}`, content)
    for (const place of ['/proc', '/home/nonroot', '/tmp']) mkdirSync(join(this.directory, place), { recursive: true })
  }

  write(path: string, content: string | Uint8Array): void {
    mkdirSync(join(this.directory, dirname(path)), { recursive: true })
    writeFileSync(join(this.directory, path), content)
  }

  #copy(from: string, to: string): void {
    mkdirSync(join(this.directory, dirname(to)), { recursive: true })
    copyFileSync(from, join(this.directory, to))
  }

  /**
   * Returns the command that runs `args` inside. The command replaces itself with the program, so that signals reach the program. The file
   * system is read-only unless `writable` is true, which is needed while the image is being created.
   */
  command(args: readonly string[], writable = false): readonly [string, readonly string[]] {
    const script = [
      'mount --bind "$0" "$0"',
      'mount --rbind /proc "$0/proc"',
      ...(writable ? [] : ['mount -o remount,bind,ro "$0"']),
      `exec unshare --user --map-user=${NONROOT} --map-group=${NONROOT} --root="$0" --wd=/ "$@"`,
    ].join(' && ')
    return ['unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', script, this.directory, ...args]]
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true })
  }
}
