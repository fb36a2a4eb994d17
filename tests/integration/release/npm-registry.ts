import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, type StartedProgram, startProgram } from '@kerf/control-plane'
import { stringify } from 'yaml'
import { findVerdaccio } from './verdaccio-install.ts'

/**
 * An npm registry on loopback without an upstream registry. Everyone may read. Publishing needs a token. Deleting the registry deletes its
 * packages.
 */
export class NpmRegistry {
  readonly url: string
  /** The token for publishing, in the format in which npm sends it. */
  readonly token: string
  readonly #directory: string
  readonly #server: StartedProgram

  private constructor(url: string, token: string, directory: string, server: StartedProgram) {
    this.url = url
    this.token = token
    this.#directory = directory
    this.#server = server
  }

  static async start(): Promise<NpmRegistry> {
    const program = findVerdaccio()
    if (program === undefined) throw new Error('no Verdaccio here: run "node tests/integration/release/build.ts"')
    const directory = mkdtempSync(join(tmpdir(), 'kerf-npm-registry-'))
    const url = `http://127.0.0.1:${await freePort()}`
    const config = join(directory, 'config.yaml')
    writeFileSync(
      config,
      stringify({
        storage: join(directory, 'storage'),
        auth: { htpasswd: { file: join(directory, 'htpasswd'), max_users: 1 } },
        packages: { '**': { access: '$all', publish: '$authenticated' } },
        web: { enable: false },
        log: { type: 'stdout', format: 'json', level: 'http' },
      }),
    )
    const server = startProgram(process.execPath, [program, '--config', config, '--listen', url], {
      env: { PATH: process.env['PATH'], HOME: directory },
    })
    await server.printed(/http address/)
    // The request that `npm login` sends to a registry that does not offer a login in the browser.
    const response = await fetch(`${url}/-/user/org.couchdb.user:publisher`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'publisher', password: 'a password of this rehearsal' }),
    })
    const { token } = (await response.json()) as { readonly token: string }
    return new NpmRegistry(url, token, directory, server)
  }

  async stop(): Promise<void> {
    this.#server.child.kill('SIGTERM')
    await this.#server.ended
    rmSync(this.#directory, { recursive: true, force: true })
  }
}
