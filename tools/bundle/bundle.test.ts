import { type ExecFileException, execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { providerNames } from '../../packages/cli/src/providers.ts'
import { root } from '../source-files.ts'
import { eagerInputs } from './eager-inputs.ts'
import { type Bundle, makeBundle } from './make-bundle.ts'
import { licenseNotices } from './notices.ts'
import { bundledPackages } from './packages.ts'

let directory: string
let bundle: Bundle
let again: Bundle
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'kerf-bundle-'))
  const make = (): Promise<Bundle> => makeBundle({ root, commit: '0123abc' })
  ;[bundle, again] = await Promise.all([make(), make()])
  writeFileSync(join(directory, 'kerf.mjs'), bundle.code)
}, 10 * 60_000)
afterAll(() => rmSync(directory, { recursive: true, force: true }))

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs the file of the bundle alone, without the repository, packages or settings. */
const kerf = (node: string, args: readonly string[]): Promise<Ran> => run(node, ['kerf.mjs', ...args])

const run = (node: string, args: readonly string[]): Promise<Ran> =>
  new Promise((resolve) => {
    const options = { cwd: directory, env: { HOME: directory }, maxBuffer: 2 ** 26 }
    execFile(node, [...args], options, (error: ExecFileException | null, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, err }),
    )
  })

/** Another Node.js on this machine, which may be older than the pinned one. */
const installedNode = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .find((file) => existsSync(file))
const nodes = [
  ['the pinned Node', process.execPath],
  ...(installedNode === undefined ? [] : [['the installed Node', installedNode] as const]),
] as const

const scenario = (name: string): readonly string[] => {
  const folder = join(root, 'tests', 'scenarios', name)
  return ['-f', join(folder, 'cluster.yaml'), '--instance-types', join(folder, 'instance-types.json')]
}

describe.each(nodes)('on %s, outside the repository', (_name, node) => {
  test('--version prints the version, the commit and the version of Node.js', async () => {
    const { out, code } = await kerf(node, ['--version'])
    expect(code).toBe(0)
    expect(out).toMatch(new RegExp(`^kerf ${bundle.version.replaceAll('.', '\\.')} \\(commit 0123abc, Node v\\d`))
  })

  test('a short command loads only the modules of Node.js that it uses', async () => {
    const probe = join(directory, 'loaded.cjs')
    writeFileSync(probe, "process.on('exit', () => process.stderr.write(process.moduleLoadList.join('\\n')))")
    const { err } = await run(node, ['--require', probe, 'kerf.mjs', '--version'])
    const loaded = err.split('\n').map((line) => line.replace(/^\w+ /, ''))
    expect(loaded).toContain('module')
    expect(loaded.filter((name) => ['internal/deps/undici/undici', 'http2', 'https'].includes(name))).toEqual([])
  })

  test('crds', async () => {
    const { out } = await kerf(node, ['crds'])
    const names = parseAllDocuments(out).map((document) => document.toJS().metadata.name)
    expect(names).toContain('nodepools.karpenter.sh')
    expect(names).toContain('ec2nodeclasses.karpenter.k8s.aws')
  })

  test('plan', async () => {
    const plan = await kerf(node, ['plan', ...scenario('026-existing-room'), '-o', 'json'])
    expect(plan).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(plan.out).nodeClaims.length).toBeGreaterThan(0)
  })

  test('explain pod', async () => {
    const { out } = await kerf(node, [
      'explain',
      'pod',
      'default/wrongtol-g2dbqz6c2-4rp6n',
      ...scenario('006-taints-tolerations'),
    ])
    expect(out).toContain('tolerate the taint dedicated=infra:NoSchedule')
  })

  test('simulate', async () => {
    const { code, out } = await kerf(node, [
      'simulate',
      '-f',
      join(root, 'examples', 'simulate'),
      '--for',
      '1h',
      '-o',
      'json',
    ])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toBeTypeOf('object')
  })

  test('aws policy, cloudformation, eksctl and terraform', async () => {
    const target = ['--cluster-name', 'demo', '--region', 'us-east-1', '--account', '123456789012']
    const policy = await kerf(node, ['aws', 'policy', ...target])
    expect(policy.err).toBe('')
    expect(JSON.stringify(JSON.parse(policy.out))).toContain('ec2:CreateFleet')
    expect((await kerf(node, ['aws', 'cloudformation', '--cluster-name', 'demo'])).out).toContain('AWS::SQS::Queue')
    expect((await kerf(node, ['aws', 'eksctl', ...target])).out).toContain('kind: ClusterConfig')
    expect((await kerf(node, ['aws', 'terraform', ...target])).out).toContain('aws_sqs_queue')
  })

  test('migrate', async () => {
    const { out } = await kerf(node, ['migrate', 'manifests', join(root, 'examples', 'older-guides')])
    expect(out).toContain('kind: NodePool')
  })

  test('up contains its quickstart', async () => {
    const { code, out, err } = await kerf(node, ['up', '--headless', '--until-settled', '--speed', '10', '-o', 'json'])
    expect(code).toBe(0)
    // A warning from Node.js, for example about too many listeners, would disrupt the screen.
    expect(err).not.toMatch(/warning/i)
    expect(JSON.parse(out)).toMatchObject({ pods: { running: 10, pending: 0 }, settled: true })
  })

  test('run prints in one line what is missing', async () => {
    const { code, err } = await kerf(node, ['run', '--kubeconfig', 'none'])
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/^kerf: cannot read kubeconfig none: [^\n]*\n$/),
    })
    expect((await kerf(node, ['run', '--help'])).out).toContain('--leader-election-namespace')
  })

  test('a command that needs a clone of the repository says so', async () => {
    expect((await kerf(node, ['up', '--cluster', 'local', '--headless'])).err).toContain('clone of the repository')
  })
})

test('the same sources give the same bytes, which do not reveal where the bundle was built', () => {
  const digest = ({ code }: Bundle): string => createHash('sha256').update(code).digest('hex')
  expect(digest(again)).toBe(digest(bundle))
  expect(Buffer.from(bundle.code).includes(root)).toBe(false)
  // Source maps refer to sources by their path in the repository.
  const { sources } = JSON.parse(Buffer.from(bundle.sourceMap).toString()) as { readonly sources: readonly string[] }
  expect(sources.some((source) => source.endsWith('packages/cli/src/run/run-process.ts'))).toBe(true)
  expect(sources.filter((source) => source.startsWith('/'))).toEqual([])
})

test('the script is the same program on the same lines, so the source map and stack traces are the same', () => {
  const lines = (code: Uint8Array): readonly string[] => Buffer.from(code).toString('latin1').split('\n')
  const [module, script] = [lines(bundle.code), lines(bundle.script)]
  expect(script.slice(-2)).toEqual(['})', ''])
  const end = module.findLastIndex((line) => line !== '') + 1
  const isSame = (line: string, index: number): boolean => script[index + 3] === line
  expect(module.slice(3, end).every(isSame)).toBe(true)
  expect(script.length - module.length).toBeLessThanOrEqual(1)
})

test('the whole bundle is ASCII, because a single other character would double the memory that Node.js needs for the text', () => {
  expect(bundle.code.findIndex((byte) => byte > 0x7f)).toBe(-1)
})

/** The modules that `kerf run` imports dynamically with every provider. */
const START = [
  'packages/cli/src/main.ts',
  'packages/cli/src/program.ts',
  'packages/cli/src/verbs.ts',
  'packages/cli/src/run/run-settings.ts',
  'packages/cli/src/run/run-process.ts',
  'packages/runtime/src/http-client/agents.ts',
]
const compositionRoot = (provider: string): string => `providers/${provider}/src/create-${provider}.ts`

test('kerf run evaluates what it needs, and nothing that only other verbs need', () => {
  const eager = eagerInputs(bundle.parts, [...START, compositionRoot('kwok')])
  expect([...eager]).toContain('packages/controllers/src/kerf.ts')
  const others =
    /@aws-sdk|@smithy|core-js|openid-client|^(packages\/(sandbox|dashboard)|tests)\/|^packages\/cli\/src\/(simulate|up|plan)\/run-/
  expect([...eager].filter((path) => others.test(path))).toEqual([])
})

/** Returns the third-party packages that a provider declares. */
const declaredPackages = (provider: string): readonly string[] => {
  const { dependencies = {} }: { readonly dependencies?: object } = JSON.parse(
    readFileSync(join(root, 'providers', provider, 'package.json'), 'utf8'),
  )
  return Object.keys(dependencies).filter((name) => !name.startsWith('@kerf/'))
}

test.each(providerNames)('kerf run --provider=%s evaluates no package that only other providers use', (provider) => {
  const shared = [...declaredPackages(provider), 'commander', 'yaml']
  const foreign = providerNames.flatMap(declaredPackages).filter((name) => !shared.includes(name))
  expect(foreign.length).toBeGreaterThan(0)
  const eager = [...eagerInputs(bundle.parts, [...START, compositionRoot(provider)])]
  expect(foreign.filter((name) => eager.some((path) => path.includes(`node_modules/${name}/`)))).toEqual([])
})

test('the bundle does not contain operations of the AWS SDK that Kerf never calls', () => {
  const code = Buffer.from(bundle.code)
  expect(code.includes('CreateFleet')).toBe(true)
  expect(code.includes('ModifyReservedInstances')).toBe(false)
})

test('the notices contain the licence of every package, and every licence has been accepted', () => {
  const notices = licenseNotices(bundle.packages)
  const names = bundle.packages.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['undici', 'pino', 'prom-client', '@aws-sdk/client-ec2', 'commander']))
  expect(bundledPackages(root, bundle.parts)).toEqual(bundle.packages)
  for (const { name, version } of bundle.packages) expect(notices).toContain(`\n${name} ${version} (`)
  const [first] = bundle.packages
  if (first === undefined) throw new Error('a bundle has packages')
  for (const license of ['GPL-3.0-only', '(GPL-2.0-only OR AFL-2.1)', '(MIT AND GPL-2.0-only)'])
    expect(() => licenseNotices([{ ...first, license }])).toThrow(`${first.name} (${license})`)
  expect(licenseNotices([{ ...first, license: '(GPL-2.0-only OR MIT)' }])).toContain('(GPL-2.0-only OR MIT)')
  // The notices contain the text of each kind of licence at least once.
  const license = readFileSync(join(root, 'LICENSE'), 'utf8')
  expect(license).toContain('Apache License')
  expect(notices).toContain('Permission is hereby granted, free of charge')
})
