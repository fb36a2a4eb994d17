import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findHelm } from '@kerf/control-plane'
import { buildDashboard } from '@kerf/dashboard'
import { readDockerfile } from '../../../tools/image/dockerfile.ts'
import { root } from '../../../tools/source-files.ts'
import { LoopbackRegistry } from '../guides/loopback-registry.ts'
import { buildLayout } from '../guides/oci-layout.ts'
import { NpmRegistry } from './npm-registry.ts'
import { ReleasePage } from './release-page.ts'
import { type Action, checkOut, ReleaseWorkflow } from './release-workflow.ts'

export const REPOSITORY = 'owner/kerf'
export const COMMIT = '0123abc0123abc0123abc0123abc0123abc0123a'

export const programPath = (program: string): string =>
  execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim()

/** Returns a script that replaces a program. The script gets the program's arguments. */
const script = (text: string, name: string): readonly string[] => ['/bin/sh', '-ec', text, name]

/** A replacement for npm that skips installations, because everything is already installed. */
export const npmProgram = script(`[ "$1" = ci ] || exec ${programPath('npm')} "$@"`, 'npm')
/** Helm with plain HTTP, because the registry on loopback has no certificate. */
export const helmProgram = script(
  `case "$*" in *oci://*) set -- "$@" --plain-http;; esac; exec '${findHelm() ?? 'helm'}' "$@"`,
  'helm',
)

/** A release, made on loopback by the commands of release.yml. */
export class Released {
  readonly version: string
  readonly images: LoopbackRegistry
  readonly npm: NpmRegistry
  readonly page: ReleasePage
  /** The signed artifacts, in the order of signing. */
  readonly signed: readonly string[]
  /** The digest of each image, by the path of its Dockerfile. */
  readonly digests: ReadonlyMap<string, string>

  private constructor(values: Pick<Released, 'version' | 'images' | 'npm' | 'page' | 'signed' | 'digests'>) {
    this.version = values.version
    this.images = values.images
    this.npm = values.npm
    this.page = values.page
    this.signed = values.signed
    this.digests = values.digests
  }

  /** @throws Error with the output of a failed command of the workflow */
  static async make(): Promise<Released> {
    // Uses the real npm, because the workflow's npm is a stand-in that installs nothing.
    await buildDashboard({ progress: () => {} })
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
    const images = await LoopbackRegistry.start()
    const npm = await NpmRegistry.start()
    const page = await ReleasePage.start()
    const directory = mkdtempSync(join(tmpdir(), 'kerf-release-'))
    const digests = new Map<string, string>()
    try {
      const signatures = join(directory, 'signatures')
      appendFileSync(signatures, '')
      const nothing: Action = async () => undefined
      const artifact = (name = ''): string => join(directory, '.artifacts', name)
      const workflow = new ReleaseWorkflow({
        directory,
        hosts: { 'ghcr.io': images.host, 'https://registry.npmjs.org': npm.url },
        context: {
          'github.repository': REPOSITORY,
          'github.sha': COMMIT,
          'github.ref': `refs/tags/v${version}`,
          'github.ref_name': `v${version}`,
          'github.actor': 'somebody',
          'github.server_url': page.url,
          'github.token': 'a token',
          'secrets.GITHUB_TOKEN': 'a token',
          'secrets.NPM_TOKEN': npm.token,
        },
        // The provenance statement is not signed here, because only GitHub's own identity can sign it.
        env: { PROVENANCE: 'false' },
        programs: {
          npm: npmProgram,
          helm: helmProgram,
          git: [programPath('git'), '-C', root],
          cosign: script(`echo "$*" >> '${signatures}'`, 'cosign'),
          gh: script(
            `[ "$1 $2 $4 $6 $7" = "release create --repo --verify-tag --generate-notes" ]; to="${page.directory}/$5/$3"; shift 7; mkdir -p "$to"; cp "$@" "$to"`,
            'gh',
          ),
        },
        actions: {
          'actions/checkout': checkOut,
          'actions/attest-build-provenance': nothing,
          'actions/attest-sbom': nothing,
          'docker/setup-qemu-action': nothing,
          'docker/setup-buildx-action': nothing,
          'docker/login-action': nothing,
          'sigstore/cosign-installer': nothing,
          'actions/setup-node': async ({ 'registry-url': registry }) => {
            if (registry === undefined) return undefined
            const place = registry.replace(/^https?:/, '')
            const lines = `${place}/:_authToken=\${NODE_AUTH_TOKEN}\nregistry=${registry}/\n`
            writeFileSync(join(directory, '.npmrc'), lines)
            return undefined
          },
          'actions/upload-artifact': async ({ name, path = '' }, from) => {
            cpSync(join(from, path), artifact(name), { recursive: true })
            return undefined
          },
          'actions/download-artifact': async ({ name, path = '' }, to) => {
            cpSync(artifact(name), join(to, path), { recursive: true })
            return undefined
          },
          'docker/build-push-action': async (
            { context = '', file = 'Dockerfile', platforms = '', tags = '' },
            from,
          ) => {
            const plan = readDockerfile(readFileSync(join(root, file), 'utf8'))
            const layout = buildLayout(resolve(from, context), plan, platforms.split(','), new Date(), true)
            await images.call('push', '--index', layout.directory, tags)
            digests.set(file, layout.digest)
            return { digest: layout.digest }
          },
        },
      })
      await workflow.run()
      const signed = readFileSync(signatures, 'utf8').trim().split('\n')
      return new Released({ version, images, npm, page, signed, digests })
    } catch (error) {
      await Released.#stop(images, npm, page)
      throw error
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }

  static async #stop(images: LoopbackRegistry, npm: NpmRegistry, page: ReleasePage): Promise<void> {
    await Promise.all([images.stop(), npm.stop(), page.stop()])
  }

  /** Returns the path of a file of this version on this machine. */
  file(name: string): string {
    return join(this.page.directory, REPOSITORY, `v${this.version}`, name)
  }

  stop(): Promise<void> {
    return Released.#stop(this.images, this.npm, this.page)
  }
}
