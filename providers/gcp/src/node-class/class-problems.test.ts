import { expect, test } from 'vitest'
import { classProblems } from './class-problems.ts'
import type { GCENodeClassSpec } from './gce-node-class.ts'

const problemsOf = (spec: Partial<GCENodeClassSpec>): readonly string[] =>
  classProblems({ spec: { imageSelectorTerms: [], ...spec } }).map(({ reason, message }) => `${reason}: ${message}`)

test('a class without spec has no problem', () => {
  expect(classProblems({})).toEqual([])
})

test.each([
  ['team', 'a'],
  ['team_2-b', ''],
  ['équipe', 'données'],
  ['t'.repeat(63), 'v'.repeat(63)],
])('Compute Engine accepts the label %s=%s', (key, value) => {
  expect(problemsOf({ labels: { [key]: value } })).toEqual([])
})

test.each([
  ['Team', 'a'],
  ['2team', 'a'],
  ['example.com/team', 'a'],
  ['t'.repeat(64), 'a'],
  ['team', 'A'],
  ['team', 'a.b'],
  ['team', 'v'.repeat(64)],
])('Compute Engine refuses the label %s=%s', (key, value) => {
  const [problem = '', ...others] = problemsOf({ labels: { [key]: value } })
  expect(problem).toMatch(/^InvalidLabels: spec\.labels.*lower case/)
  expect(others).toEqual([])
})

test('a quantity that matches the CRD’s pattern but is not a number is a problem', () => {
  const kubeletConfiguration = {
    systemReserved: { cpu: '1e1.5', memory: '1Gi' },
    evictionHard: { 'memory.available': '5%', 'nodefs.available': '1e1.5' },
  }
  expect(problemsOf({ kubeletConfiguration })).toEqual([
    'InvalidKubeletConfiguration: spec.kubeletConfiguration.systemReserved["cpu"]: "1e1.5" must be a quantity, for example "100Mi"',
    'InvalidKubeletConfiguration: spec.kubeletConfiguration.evictionHard["nodefs.available"]: "1e1.5" must be a quantity, for example "100Mi"',
  ])
})

test('a grace period must be a duration, because the CRD accepts any text', () => {
  const soft = { 'memory.available': '5%' }
  const problems = (period: string) =>
    problemsOf({
      kubeletConfiguration: { evictionSoft: soft, evictionSoftGracePeriod: { 'memory.available': period } },
    })
  expect(problems('1m30s')).toEqual([])
  expect(problems('soon')).toEqual([
    'InvalidKubeletConfiguration: spec.kubeletConfiguration.evictionSoftGracePeriod["memory.available"]: "soon" must be a duration, for example "1m30s"',
  ])
})

test('an instance has one boot disk', () => {
  const boot = { boot: true } as const
  expect(problemsOf({ disks: [boot, { boot: false }, {}] })).toEqual([])
  expect(problemsOf({ disks: [boot, boot] })).toEqual([
    'InvalidDisks: spec.disks: an instance has one boot disk; set "boot" on one disk only',
  ])
})
