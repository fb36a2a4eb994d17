import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findHelm, runProgram } from '@kerf/control-plane'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GuideShell, node } from '../../../../tests/integration/guides/guide-shell.ts'
import { guideSteps } from '../../../../tests/integration/guides/guide-steps.ts'
import { LoopbackRegistry } from '../../../../tests/integration/guides/loopback-registry.ts'
import { nativePlatform } from '../../../../tests/integration/guides/oci-layout.ts'
import { readDockerfile } from '../../../../tools/image/dockerfile.ts'
import { imageName } from '../../../../tools/image/image-name.ts'
import { canHaveRoot, ImageRoot } from '../../../../tools/image/image-root.ts'
import { root } from '../../../../tools/source-files.ts'
import { AwsAccount } from '../aws-story.ts'
import { pythonEnvironment } from '../python-environment.ts'

const COMMIT = '0123abc'
const standIn = fileURLToPath(new URL('docker-stand-in.ts', import.meta.url))
const plan = readDockerfile(readFileSync(join(root, 'deploy', 'image', 'Dockerfile'), 'utf8'))

const steps = guideSteps('first-pod')
const build = steps.findIndex(({ commands }) => commands.includes('--push .'))
const install = steps.find(({ commands }) => commands.includes('deploy/charts/karpenter '))

const images = (yaml: string): readonly string[] =>
  [...yaml.matchAll(/^\s+image: (.+)$/gm)].map(([, image = '']) => image)
const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

// The tests need GNU tar and the root directories of this machine.
describe.skipIf(process.platform !== 'linux')('the image in a registry', () => {
  let account: AwsAccount
  let registry: LoopbackRegistry
  let shell: GuideShell
  /** The name of the pushed image in ECR. `image` is its name in the registry of this test. */
  let named = ''
  let image = ''
  let digest = ''
  /** The output of `npm run image` about the image. */
  let listed = ''

  beforeAll(async () => {
    account = await AwsAccount.open('nothing')
    registry = await LoopbackRegistry.start()
    shell = new GuideShell(
      {
        aws: [join(pythonEnvironment('awscli==1.46.3'), 'bin', 'python'), '-m', 'awscli'],
        docker: [...node, standIn],
        npm: [...node, standIn, 'npm'],
      },
      {
        AWS_ENDPOINT_URL: account.proxy.endpoint,
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
        AWS_EC2_METADATA_DISABLED: 'true',
        AWS_PAGER: '',
        KERF_COMMIT: COMMIT,
        KERF_TEST_REGISTRY: registry.host,
        CRANE_PATH: registry.crane,
        KERF_TEST_PATH: process.env['PATH'] ?? '',
      },
    )
    for (const step of steps.slice(0, build + 1)) listed = await shell.run(step)
    named = readFileSync(join(shell.directory, '.pushed'), 'utf8')
    image = registry.here(named)
    digest = `sha256:${sha256(readFileSync(join(shell.directory, '.layout', 'index.json')))}`
  })
  afterAll(async () => {
    shell?.close()
    await registry?.stop()
    await account?.close()
  })

  test('contains the complete image for both architectures, under the name and tag of the guide', async () => {
    expect(named).toBe('123456789012.dkr.ecr.us-east-1.amazonaws.com/kerf/controller:0.1.0')
    expect(await registry.call('digest', image)).toBe(digest)
    const { manifests } = JSON.parse(await registry.call('manifest', image))
    expect(manifests.map(({ platform }: { platform: unknown }) => platform)).toEqual([
      { os: 'linux', architecture: 'amd64' },
      { os: 'linux', architecture: 'arm64' },
    ])
    // Reads every layer back and verifies its digest.
    await registry.call('validate', '--remote', image)
  })

  test('keeps the image under its tag: the guide continues if it exists, and a different build is refused', async () => {
    const again = steps[build]
    if (again === undefined || install === undefined)
      throw new Error('the guide builds an image and installs the chart')
    const lines = again.commands.split('\n')
    const last = lines.findIndex((line) => line.startsWith('aws ecr describe-images'))
    expect(last).toBeGreaterThan(-1)
    await shell.run({ heading: 'the last command, once more', commands: lines.slice(last).join('\n') })
    expect(await registry.call('digest', image)).toBe(digest)
    const push = /^ *(docker buildx .*)$/m.exec(again.commands)?.[1] ?? ''
    await expect(shell.run({ heading: 'another build', commands: push })).rejects.toThrow(/immutable/)
    expect(await registry.call('digest', image)).toBe(digest)
  })

  describe('after a pull', () => {
    let pulled: ImageRoot
    beforeAll(async () => {
      // All files of the image come from the registry, except the base image with Node.js and its libraries.
      pulled = new ImageRoot([])
      const archive = join(pulled.directory, 'image.tar')
      await registry.call('export', `--platform=${nativePlatform}`, `${image}@${digest}`, archive)
      execFileSync('tar', ['-x', '-f', archive, '-C', pulled.directory, '--no-same-owner'])
      const entries = execFileSync('tar', ['-t', '-v', '--numeric-owner', '-f', archive], { encoding: 'utf8' })
      for (const entry of entries.trim().split('\n')) expect(entry).toMatch(/^[d-]r[w-]x?r?.* 0\/0 /)
      rmSync(archive)
    })
    afterAll(() => pulled?.remove())

    test('it contains exactly the listed files', () => {
      const names = [...listed.matchAll(/^\/app\/(\S+) +(\d+) {2}sha256:(\w+)/gm)].map(([, name = '', size, sum]) => {
        const content = readFileSync(join(pulled.directory, 'app', name))
        expect([name, String(content.length), sha256(content).slice(0, 16)]).toEqual([name, size, sum])
        return name
      })
      expect(names).toContain('kerf.mjs')
      expect(readdirSync(join(pulled.directory, 'app')).toSorted()).toEqual([...names, 'code-cache'].toSorted())
    })

    test.skipIf(!canHaveRoot())('it runs as its configuration says, as nobody special', async () => {
      const { config } = JSON.parse(await registry.call('config', `--platform=${nativePlatform}`, image))
      expect(config).toEqual({
        User: '65532:65532',
        Env: Object.entries(plan.env).map(([name, value]) => `${name}=${value}`),
        Entrypoint: plan.entrypoint,
        WorkingDir: '/app',
        ExposedPorts: { '8080/tcp': {}, '8081/tcp': {} },
        Labels: { ...plan.labels, 'org.opencontainers.image.version': imageName().tag },
      })
      const env = Object.fromEntries(config.Env.map((line: string) => line.split(/=(.*)/s)))
      const inside = async (...args: readonly string[]) => {
        const [command, all] = pulled.command(args)
        return await runProgram(command, all, { PATH: process.env['PATH'], ...env })
      }
      const [program = '', file = '', ...rest] = config.Entrypoint
      const version = await inside(program, file, '--version')
      expect(version.stdout).toMatch(new RegExp(`^kerf ${imageName().tag} \\(commit ${COMMIT}, Node v`))
      const readsCache = [
        "const read = (file, encoding) => require('node:fs').readFileSync('/app/' + file, encoding)",
        "const cachedData = read('code-cache/kerf.cache')",
        "new (require('node:vm').Script)(read('kerf.cjs', 'latin1'), { cachedData }).cachedDataRejected",
      ].join('; ')
      expect((await inside(program, '-p', readsCache)).stdout.trim()).toBe('false')
      const help = await inside(program, file, ...rest, '--help')
      expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('kerf run') })
      const user = await inside(program, '-p', '[process.getuid(), process.getgid()].join(":")')
      expect(user.stdout.trim()).toBe(config.User)
    })
  })

  describe.skipIf(findHelm() === undefined)('is what the chart runs', () => {
    let home = ''
    const helm = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await runProgram(findHelm() ?? '', args, {
        PATH: process.env['PATH'],
        HOME: home,
      })
      if (code !== 0) throw new Error(`helm ${args.join(' ')}: ${stderr}`)
      return stdout
    }
    beforeAll(() => {
      home = mkdtempSync(join(tmpdir(), 'kerf-helm-'))
    })
    afterAll(() => rmSync(home, { recursive: true, force: true }))

    test('the chart installs the pushed tag, as in the guide', async () => {
      const flags = [...(install?.commands ?? '').matchAll(/--set (controller\.image\.\S+)="\$IMAGE_REPOSITORY"/g)]
      expect(flags).toHaveLength(1)
      const repository = named.slice(0, named.lastIndexOf(':'))
      const rendered = await helm(
        'template',
        'karpenter',
        join(root, 'deploy', 'charts', 'karpenter'),
        '--set=settings.clusterName=demo',
        ...flags.map(([, flag]) => `--set=${flag}=${repository}`),
      )
      expect(images(rendered)).toEqual([named])
      expect(await registry.call('digest', registry.here(images(rendered)[0] ?? ''))).toBe(digest)
    })
  })
})
