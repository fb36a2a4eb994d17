import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type ProgramEnd, type StartedProgram, startProgram } from '@kerf/control-plane'
import { ImageRoot } from '../../../tools/image/image-root.ts'
import type { LoopbackRegistry } from '../guides/loopback-registry.ts'
import { nativePlatform } from '../guides/oci-layout.ts'

/** The configuration of an image, with the fields needed to start a container. */
interface ImageConfig {
  readonly User: string
  readonly Env?: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Cmd?: readonly string[]
}

/** An image that was pulled from a registry and unpacked. Its containers see the image's files, and none of this machine's. */
export class PulledImage {
  readonly config: ImageConfig
  readonly #root: ImageRoot

  private constructor(config: ImageConfig, imageRoot: ImageRoot) {
    this.config = config
    this.#root = imageRoot
  }

  /** @param name the image's path with its tag or digest, without the registry */
  static async pull(registry: LoopbackRegistry, name: string): Promise<PulledImage> {
    const image = `${registry.host}/${name}`
    const { config } = JSON.parse(await registry.call('config', `--platform=${nativePlatform}`, image))
    const unpacked = new ImageRoot([], true)
    const archive = join(unpacked.directory, 'image.tar')
    await registry.call('export', `--platform=${nativePlatform}`, image, archive)
    execFileSync('tar', ['-x', '-f', archive, '-C', unpacked.directory, '--no-same-owner'])
    rmSync(archive)
    return new PulledImage(config, unpacked)
  }

  write(path: string, content: string): void {
    this.#root.write(path, content)
  }

  list(path: string): readonly string[] {
    return readdirSync(join(this.#root.directory, path))
  }

  /**
   * Starts a container with the image's entrypoint and variables. Uses the given arguments, or else the image's, and adds the given
   * variables.
   */
  start(args: readonly string[], env: Readonly<Record<string, string>> = {}, isWritable = false): StartedProgram {
    const { Entrypoint, Cmd = [], Env = [] } = this.config
    const all = [...Entrypoint, ...(args.length === 0 ? Cmd : args)]
    const [command, words] = this.#root.command(all, isWritable)
    const own = Object.fromEntries(Env.map((line) => line.split(/=(.*)/s)))
    return startProgram(command, words, { env: { PATH: process.env['PATH'], ...own, ...env } })
  }

  /** Runs a container until it ends. */
  run(args: readonly string[], options: { readonly isWritable?: boolean } = {}): Promise<ProgramEnd> {
    return this.start(args, {}, options.isWritable).ended
  }

  remove(): void {
    this.#root.remove()
  }
}
