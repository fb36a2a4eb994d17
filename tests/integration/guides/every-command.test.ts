import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { importProviderExports } from '../../support/provider-exports.ts'
import type { GuideRunners, ProviderGuides } from './guide-runners.ts'
import { GuideShell } from './guide-shell.ts'
import { documentSteps, documentText } from './guide-steps.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8')

/** The declarations of each provider about its own guides, and about its cloud's commands in the other guides. */
const ofProviders = await importProviderExports<ProviderGuides>('./testing/guides')

/**
 * For each guide, the test that runs its commands. Guides of a provider are listed in the provider's folder. watch.md has no commands:
 * tests/integration/monitoring and tests/integration/story/charts.promtool.test.ts check its alerts and dashboards.
 */
const runners: GuideRunners = {
  ...Object.assign({}, ...ofProviders.map((each) => each.runners)),
  ...Object.fromEntries(
    [
      ...['ceilings', 'price-book', 'commitments'].map((guide) => ({ guide, test: 'policy-guides.test.ts' })),
      ...['sleep', 'access'].map((guide) => ({ guide, test: 'pool-policy-guides.test.ts' })),
    ].map(({ guide, test }) => [
      guide,
      { test: `tests/integration/story/${test}`, holds: `readGuide(shared(), '${guide}')` },
    ]),
  ),
  'guides/from-cluster-autoscaler': {
    test: 'tests/integration/migrate/guide.test.ts',
    holds: 'expect(commands.filter((command) => !typed.has(command))).toEqual([])',
  },
}
const pages = [...Object.keys(runners), 'watch']

/** Commands that the guides show with a prompt because a test cannot run them, each with the reason. */
const cannotRun: Readonly<Record<string, string>> = {
  ...Object.assign({}, ...ofProviders.map(({ cannotRun: theirs = {} }) => theirs)),
  'terraform show -json > terraform.json': 'the reader’s own state of Terraform',
  'kubectl get nodes,pods,deployments,replicasets,statefulsets,daemonsets,jobs,cronjobs,pdb,configmaps -A -o yaml > cluster.yaml':
    'the reader’s cluster; what it prints is examples/cluster-autoscaler/cluster.yaml',
}

/** Returns the code blocks of a page: the fence and the lines of each. */
const blocks = (page: string): readonly { readonly fence: string; readonly lines: readonly string[] }[] =>
  [...documentText(page).matchAll(/^[ \t]*```([^\n]*)\n([\s\S]*?)^[ \t]*```$/gm)].map(([, fence = '', text = '']) => ({
    fence,
    lines: text.split('\n').filter((line) => line.trim() !== ''),
  }))

test.each(pages)('%s: a test runs each command, or a list gives the reason why no test can', (page) => {
  const runner = runners[page]
  const found = documentSteps(page)
  if (runner === undefined) expect(found).toEqual([])
  else {
    expect(found.length).toBeGreaterThan(0)
    expect(existsSync(`${root}${runner.test}`)).toBe(true)
    expect(read(runner.test)).toContain(runner.holds)
  }
  // A block that `documentSteps` does not recognize would not be run.
  expect(blocks(page).filter(({ fence }) => fence === 'sh')).toHaveLength(found.length)
  const shells = blocks(page).filter(({ fence }) => /^(bash|shell|zsh|sh .*)$/.test(fence))
  expect(shells, 'only sh is run').toEqual([])
  const shown = blocks(page)
    .filter(({ fence }) => fence !== 'sh')
    .flatMap(({ lines }) => lines.flatMap((line) => /^\s*\$ (.*)$/.exec(line)?.[1] ?? []))
  expect(shown.filter((command) => !(command in cannotRun))).toEqual([])
})

test('each command that no test can run is in a guide', () => {
  const text = pages.map((page) => documentText(page)).join('\n')
  expect(Object.keys(cannotRun).filter((command) => !text.includes(`$ ${command}\n`))).toEqual([])
})

test('a shell reports the blocks that it did not run completely', async () => {
  const shell = new GuideShell({}, {})
  onTestFinished(() => shell.close())
  const step = (commands: string) => ({ heading: 'here', commands })
  await shell.run(step('true'))
  await expect(shell.run(step('false'))).rejects.toThrow('"here" ended with 1')
  expect(shell.unrun([step('true'), step('false'), step('echo never')])).toEqual([step('false'), step('echo never')])
})
