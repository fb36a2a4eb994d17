import { findCrane, runProgram, type StartedProgram, startProgram } from '@kerf/control-plane'

/** A registry of container images on loopback without authentication, and its client. Its images are deleted with it. */
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

  /** Returns the name in this registry of an image that another registry names. */
  here(image: string): string {
    return `${this.host}${image.slice(image.indexOf('/'))}`
  }

  /** Runs the client. @throws Error with the message of the client if it fails */
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
