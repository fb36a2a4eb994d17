import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../../../tools/source-files.ts'
import { findActionlint } from './actionlint.ts'

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
}

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly permissions?: Readonly<Record<string, string>>
        readonly 'timeout-minutes'?: number
        readonly steps: readonly Step[]
      }
    >
  >
}

const directory = join(root, '.github', 'workflows')
const files = readdirSync(directory)
const fileText = (file: string): string => readFileSync(join(directory, file), 'utf8')
const fileWorkflow = (file: string): Workflow => parse(fileText(file)) as Workflow
const fileSteps = (file: string): readonly Step[] =>
  Object.values(fileWorkflow(file).jobs).flatMap(({ steps }) => steps)

test('actionlint finds nothing', async ({ skip }) => {
  const program = await findActionlint()
  if (program === undefined) return skip('actionlint is built with Go, which is not installed')
  const lint = spawnSync(program, ['-no-color', ...files.map((file) => join(directory, file))], { encoding: 'utf8' })
  expect(lint.stdout + lint.stderr).toBe('')
  const wrong = spawnSync(program, ['-no-color', '-'], { encoding: 'utf8', input: 'on: pusch\njobs: {}\n' })
  expect(wrong.status).toBe(1)
})

test.each(files)('%s: every action is pinned by commit, with its version in a comment', (file) => {
  const uses = fileText(file).match(/^.*\buses:.*$/gm) ?? []
  expect(uses.length).toBeGreaterThan(0)
  for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})

test.each(files)('%s: permissions are granted per job, and no write permission by default', (file) => {
  const { permissions, jobs } = fileWorkflow(file)
  expect(permissions).toEqual({ contents: 'read' })
  for (const [name, job] of Object.entries(jobs)) {
    expect(job['timeout-minutes'], name).toBeLessThanOrEqual(90)
    for (const step of job.steps)
      if (step.uses?.startsWith('actions/checkout@')) expect(step.with?.['persist-credentials'], name).toBe(false)
  }
})

test('each action has only one pin', () => {
  const pins = new Map<string, Set<string>>()
  for (const { uses = '' } of files.flatMap(fileSteps)) {
    const [action = '', commit = ''] = uses.split('@')
    if (action !== '') pins.set(action, (pins.get(action) ?? new Set()).add(commit))
  }
  expect([...pins].filter(([, commits]) => commits.size > 1)).toEqual([])
})

test('every script and path in a workflow exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  const commands = files.flatMap(fileSteps).flatMap(({ run }) => run?.split('\n') ?? [])
  const named = commands.flatMap((line) =>
    [...line.matchAll(/npm (?:run )?(?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name),
  )
  expect(named).toEqual(expect.arrayContaining(['test', 'check', 'image', 'release:files', 'package:plugin']))
  expect(named.filter((name) => name !== 'ci' && name !== 'publish' && !(name in scripts))).toEqual([])
  const paths = commands.flatMap((line) => line.match(/\b(?:deploy|packages|providers|tests|tools)\/[\w/.-]*/g) ?? [])
  const modules = files
    .flatMap(fileSteps)
    .flatMap(({ with: inputs }) =>
      [inputs?.['go-version-file'], inputs?.['file']].flatMap((file) => (file === undefined ? [] : [String(file)])),
    )
  const repository = [...paths.filter((path) => path.includes('/')), ...modules.filter((path) => path !== '')]
  expect(repository.length).toBeGreaterThan(2)
  // Paths that a workflow creates itself need not be in the repository.
  expect(repository.filter((path) => !path.endsWith('.tar.gz') && !existsSync(join(root, path)))).toEqual([])
})

test('workflows install the plugin’s toolchain as `buildDashboard` does', () => {
  // The plugin's lock file lacks optional packages of other platforms, so `npm ci` refuses the file.
  const told = [
    ...files.map(fileText),
    ...['tools/test.mjs', 'CONTRIBUTING.md'].map((file) => readFileSync(join(root, file), 'utf8')),
  ]
  expect(told.flatMap((text) => text.match(/npm ci --prefix.*/g) ?? [])).toEqual([])
  for (const file of ['ci.yml', 'nightly.yml']) expect(fileText(file)).toContain('npm run build:dashboard')
})

test('the site is published from main with the workflow’s own identity, after its links were checked at its final path', () => {
  const { jobs } = fileWorkflow('site.yml')
  expect(fileText('site.yml')).not.toContain('secrets.')
  expect(jobs['publish']?.permissions).toEqual({ contents: 'read', pages: 'write', 'id-token': 'write' })
  const writers = files.flatMap((file) =>
    Object.entries(fileWorkflow(file).jobs).flatMap(([name, { permissions = {} }]) =>
      permissions['pages'] === 'write' ? [`${file} ${name}`] : [],
    ),
  )
  expect(writers).toEqual(['site.yml publish'])
  const [, , , place, test, upload] = jobs['build']?.steps ?? []
  expect(place?.uses).toMatch(/^actions\/configure-pages@/)
  expect(test).toMatchObject({
    run: 'npm run test:site',
    env: {
      KERF_TEST_REQUIRE: 'site',
      KERF_SITE_BASE: expect.stringMatching(/^\$\{\{ steps\.pages\.outputs\.base_path \}\}\/$/),
    },
  })
  expect(upload).toMatchObject({ with: { path: 'docs/site/dist' } })
})

test('a release signs and attests what it publishes', () => {
  const text = fileText('release.yml')
  for (const part of [
    'attest-build-provenance@',
    'attest-sbom@',
    'cosign sign',
    'helm push',
    'npm publish',
    'npm run package:plugin',
  ])
    expect(text).toContain(part)
  const { jobs } = fileWorkflow('release.yml')
  const writers = Object.entries(jobs).filter(([, { permissions = {} }]) => permissions['contents'] === 'write')
  expect(writers.map(([name]) => name)).toEqual(['publish'])
})

test('all released artifacts have the same version', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
  const check = (wanted: string) =>
    spawnSync(process.execPath, ['tools/release-version.ts', wanted], { cwd: root, encoding: 'utf8' })
  expect(check(version)).toMatchObject({ status: 0, stdout: `everything has version ${version}\n` })
  expect(check('9.9.9').stderr).toContain(`deploy/charts/karpenter/Chart.yaml: appVersion is ${version}, not 9.9.9`)
})
