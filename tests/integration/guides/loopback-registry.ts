import { findCrane, runProgram, type StartedProgram, startProgram } from '@kerf/control-plane'

/** A container registry on loopback without authentication, and a client for it. Deleting the registry deletes its images. */
export class LoopbackRegistry {
  /** `127.0.0.1:PORT`, the first part of image names. */
  readonly host: string
  readonly crane: string
  readonly #server: StartedProgram

  private constructor(host: string, crane: string, server: StartedProgram) {
    this.host = host
    this.crane = crane
    this.#server = server
  }

  static async start(): Promise<LoopbackRegistry> {
    const crane = findCrane()
    if (crane === undefined) throw new Error('no crane here: run "node tests/support/control-plane/build-registry.ts"')
    const server = startProgram(crane, ['registry', 'serve', '--address=127.0.0.1:0'], { env: {} })
    const port = await server.printed(/serving on port (\d+)/)
    return new LoopbackRegistry(`127.0.0.1:${port}`, crane, server)
  }

  /** Returns the name of an image in this registry, given its name in another registry. */
  here(image: string): string {
    return `${this.host}${image.slice(image.indexOf('/'))}`
  }

  /** Runs the client. @throws Error with the client's message if it fails */
  async call(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await runProgram(this.crane, args, { PATH: process.env['PATH'] })
    if (code !== 0) throw new Error(`crane ${args.join(' ')}: ${stderr}`)
    return stdout.trim()
  }

  async stop(): Promise<void> {
    this.#server.child.kill('SIGTERM')
    await this.#server.ended
  }
}
