import { expect, test } from 'vitest'
import { importProviderExports } from '../../support/provider-exports.ts'
import type { ProviderGuides } from '../guides/guide-runners.ts'
import { documentSteps } from '../guides/guide-steps.ts'
import { defineHour } from './define-hour.ts'
import { readHour } from './hour.ts'
import { stepsWithKubectl } from './steps-with-kubectl.ts'

const ofProviders = await importProviderExports<ProviderGuides>('./testing/guides')

/** Commands of README.md and the quick start that no step types, each with the test that runs it. */
const elsewhere: Readonly<Record<string, string>> = {
  'git clone REPOSITORY kerf && cd kerf': 'the checkout that this test runs in',
  ...Object.assign({}, ...ofProviders.map(({ runElsewhere = {} }) => runElsewhere)),
  'npx kerf dashboard': 'tests/integration/browser/dashboard-verb.browser.test.ts',
  'npx kerf run --provider kwok --kubeconfig ~/.kube/config --leader-election-namespace kube-system':
    'tests/integration/story/sigkill.test.ts, on a real control plane',
}

test('a step or another test runs each command of README.md and the quick start', () => {
  const typed = new Set(readHour('new').steps.flatMap(({ types = '', docSays = types }) => [types, docSays]))
  const commands = ['../README', 'quick-start'].flatMap((page) =>
    documentSteps(page).flatMap(({ commands: block }) => block.trim().split('\n')),
  )
  expect(commands.length).toBeGreaterThan(10)
  expect(commands.filter((command) => !typed.has(command) && !(command in elsewhere))).toEqual([])
  expect(Object.keys(elsewhere).filter((command) => !commands.includes(command))).toEqual([])
})

test('a step needs kubectl if it types kubectl or uses a variable that such a step saved', () => {
  const steps = [
    { types: 'kerf up', saves: { KUBECONFIG: 'KUBECONFIG=(.+)' } },
    { types: 'kubectl get nodeclaims', saves: { CLAIM: '(general-.+)' } },
    { types: 'kerf plan "$KUBECONFIG"' },
    { types: 'kerf explain node "$CLAIM"' },
    { types: 'kerf crds | kubectl apply -f -' },
    { types: 'kerf help kubectl' },
    { stop: true },
  ] as const
  expect([...stepsWithKubectl(steps)].map((step) => steps.indexOf(step as (typeof steps)[number]))).toEqual([1, 3, 4])
})

defineHour('new')
