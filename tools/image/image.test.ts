import { execFile } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, startProgram } from '@kerf/control-plane'
import { SeededRandom, SystemClock } from '@kerf/runtime'
import { SandboxCluster, SandboxServer } from '@kerf/sandbox'
import { validate } from 'dockerfile-utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installCrds } from '../../tests/integration/story/story-cluster.ts'
import { root } from '../source-files.ts'
import { readDockerfile } from './dockerfile.ts'
import { CODE_CACHE, CODE_CACHE_COMMAND, CODE_CACHE_VARIABLE, type ImageFile, imageFiles } from './image-files.ts'
import { IMAGE_PROVIDER } from './image-provider.ts'
import { canHaveRoot, ImageRoot } from './image-root.ts'

const dockerfile = readFileSync(join(root, 'deploy', 'image', 'Dockerfile'), 'utf8')
const plan = readDockerfile(dockerfile)

let files: readonly ImageFile[]
beforeAll(async () => {
  files = await imageFiles(root, '0123abc')
}, 10 * 60_000)

test('a linter finds no problem in the Dockerfile', () => {
  expect(validate(dockerfile).map(({ message }) => message)).toEqual([])
  expect(validate('FRM scratch').length).toBeGreaterThan(0)
})

test('the base image is a distroless Node.js of the pinned major version, given by digest', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const [major = ''] = String(devDependencies.node).split('.')
  expect(plan.base).toMatch(new RegExp(`^gcr\\.io/distroless/nodejs${major}-debian\\d+:nonroot@sha256:[0-9a-f]{64}$`))
  expect(plan.user).toBe('65532:65532')
})

test('the image contains the listed files, and the build gets no other files', () => {
  expect(plan.copies).toEqual([
    { from: 'dist/image/', to: '/app/' },
    { from: '/home/nonroot/code-cache/', to: '/app/code-cache/', stage: 'compiled' },
  ])
  const names = ['kerf.mjs', 'kerf.cjs', 'LICENSE', 'THIRD-PARTY-NOTICES', 'kerf.cdx.json']
  expect(files.map(({ name }) => name)).toEqual(names)
  const sent = readFileSync(join(root, 'deploy', 'image', 'Dockerfile.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => !/^(#|$)/.test(line))
  expect(sent).toEqual(['*', '!dist/image'])
})

const program = plan.entrypoint.slice(0, -1)
/** The command in the first stage of the Dockerfile. */
const writesCache = [...program, ...CODE_CACHE_COMMAND]

test('the image starts what the chart expects: the controller, with settings from environment variables', () => {
  expect(plan.entrypoint).toEqual(['/nodejs/bin/node', '/app/kerf.mjs', 'run'])
  expect(dockerfile).toContain(`RUN ["${writesCache.join('", "')}"]`)
  // V8 accepts a code cache only with the options with which it was created.
  const options = ` NODE_OPTIONS=${plan.env['NODE_OPTIONS']}`
  expect(dockerfile).toContain(`ENV ${CODE_CACHE_VARIABLE}=/home/nonroot/${CODE_CACHE} \\\n   ${options}\nRUN`)
  // Users who replace Karpenter's image with this one do not set a provider.
  expect(plan.env).toMatchObject({ KERF_PROVIDER: IMAGE_PROVIDER })
  const deployment = readFileSync(join(root, 'deploy', 'charts', 'karpenter', 'templates', 'deployment.yaml'), 'utf8')
  expect(deployment).not.toMatch(/^ {10}(command|args):/m)
  expect(deployment).toContain('readOnlyRootFilesystem: true')
  expect(deployment).toContain(`runAsUser: ${plan.user.split(':')[0]}`)
})

describe.skipIf(!canHaveRoot())('in a root directory that contains only the image', () => {
  const environment = { ...plan.env, HOME: '/home/nonroot' }
  let image: ImageRoot
  const inside = (args: readonly string[], env: Readonly<Record<string, string>>, writable = false) =>
    new Promise<{ readonly out: string; readonly err: string }>((resolve, reject) => {
      const [command, all] = image.command(args, writable)
      execFile(command, [...all], { env: { PATH: process.env['PATH'], ...env } }, (error, out, err) =>
        error === null ? resolve({ out, err }) : reject(new Error(err, { cause: error })),
      )
    })

  beforeAll(async () => {
    image = new ImageRoot(files)
    await inside(writesCache, { ...environment, [CODE_CACHE_VARIABLE]: `/app/${CODE_CACHE}` }, true)
  }, 10 * 60_000)
  afterAll(() => image.remove())

  /**
   * Returns the lines about the code cache that the controller writes when it starts. Without a cluster, the controller exits immediately.
   */
  const cacheLines = async (env: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const failed: unknown = await inside(plan.entrypoint, { ...environment, ...env }).catch((error: unknown) => error)
    if (!(failed instanceof Error)) throw new Error('without a cluster, the controller must end with an error')
    return failed.message.split('\n').filter((line) => line.includes('code cache'))
  }

  test('the code cache from the build is used, and nothing is written', async () => {
    expect(statSync(join(image.directory, 'app', CODE_CACHE)).size).toBeGreaterThan(1_000_000)
    const { out, err } = await inside([...program, '--version'], environment)
    expect(out).toMatch(/^kerf \d+\.\d+\.\d+ \(commit 0123abc, Node v/)
    expect(err).toBe('')
    expect(await cacheLines({})).toEqual([])
    await expect(
      inside(['/nodejs/bin/node', '-e', 'require("node:fs").writeFileSync("/tmp/x", "")'], environment),
    ).rejects.toThrow('EROFS')
  })

  test('if V8 rejects the code cache, the controller starts without it, and one log line says so', async () => {
    const lines = await cacheLines({ NODE_OPTIONS: '--max-semi-space-size=8 --stack-trace-limit=50' })
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'WARN',
      logger: 'controller',
      message: expect.stringMatching(
        /^V8 rejects the code cache \/app\/code-cache\/kerf\.cache, so the start takes longer\./,
      ),
    })
  })

  test('kerf run becomes ready, reports its version, and stops when it is asked to', async () => {
    const cluster = new SandboxCluster({ clock: new SystemClock(), random: new SeededRandom(1) })
    const server = await SandboxServer.start(cluster.api)
    await installCrds(cluster.client)
    image.write('/etc/kerf/kubeconfig', server.kubeconfig())
    const [health, metrics] = [await freePort(), await freePort()]
    const [command, args] = image.command(plan.entrypoint)
    const kerf = startProgram(command, args, {
      env: {
        PATH: process.env['PATH'],
        ...environment,
        KERF_PROVIDER: 'kwok',
        KUBECONFIG: '/etc/kerf/kubeconfig',
        LEADER_ELECTION_NAMESPACE: 'kube-system',
        HEALTH_PROBE_PORT: String(health),
        METRICS_PORT: String(metrics),
      },
    })
    try {
      const isReady = async (): Promise<boolean> =>
        (await fetch(`http://127.0.0.1:${health}/readyz`).catch(() => undefined))?.ok === true
      while (!(await isReady())) {
        if (kerf.hasEnded) throw new Error(`it ended: ${kerf.output}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text()
      const { version } = JSON.parse(readFileSync(join(root, 'packages', 'cli', 'package.json'), 'utf8'))
      expect(text).toMatch(new RegExp(`karpenter_build_info\\{version="${version}",[^}]*commit="0123abc"\\} 1`))
      const status = readFileSync(`/proc/${kerf.child.pid}/status`, 'utf8')
      // The process has no Linux capabilities, as with `drop: [ALL]`.
      expect(status).toMatch(/^CapEff:\t0+$/m)
      kerf.child.kill('SIGTERM')
      expect(await kerf.ended).toMatchObject({ code: 0, signal: null })
    } finally {
      kerf.child.kill('SIGKILL')
      await server.close()
      await cluster.stop()
    }
    expect(existsSync(join(image.directory, 'tmp', 'x'))).toBe(false)
  })
})
