import { createReadStream, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const LATEST = /^\/([\w-]+\/[\w-]+)\/releases\/latest\/download\/([\w.-]+)$/
const TAGGED = /^\/([\w-]+\/[\w-]+)\/releases\/download\/(v[\w.-]+)\/([\w.-]+)$/

/**
 * Serves files of releases like GitHub: `releases/latest/download/FILE` redirects to `releases/download/TAG/FILE`
 * (https://docs.github.com/en/repositories/releasing-projects-on-github/linking-to-releases).
 */
export class ReleasePage {
  /** The folder with the files: `OWNER/REPOSITORY/TAG/FILE`. */
  readonly directory = mkdtempSync(join(tmpdir(), 'kerf-release-page-'))
  readonly #server: Server

  private constructor() {
    this.#server = createServer(({ url = '' }, response) => {
      const [, repository = '', file = ''] = LATEST.exec(url) ?? []
      if (repository !== '') {
        const [tag] = existsSync(join(this.directory, repository)) ? readdirSync(join(this.directory, repository)) : []
        if (tag === undefined) response.writeHead(404).end()
        else response.writeHead(302, { location: `/${repository}/releases/download/${tag}/${file}` }).end()
        return
      }
      const [, ...parts] = TAGGED.exec(url) ?? []
      const path = join(this.directory, ...parts)
      if (parts.length === 0 || !existsSync(path)) response.writeHead(404).end()
      else createReadStream(path).pipe(response)
    })
  }

  static async start(): Promise<ReleasePage> {
    const page = new ReleasePage()
    await new Promise<void>((resolve) => page.#server.listen(0, '127.0.0.1', resolve))
    return page
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
    rmSync(this.directory, { recursive: true, force: true })
  }
}
