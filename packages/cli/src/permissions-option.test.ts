import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { runProgram } from './program.ts'
import { verbs } from './verbs.ts'

const permissions = async (...args: readonly string[]) => {
  const out: string[] = []
  const err: string[] = []
  const streams = { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text) }
  const code = await runProgram(verbs, [...args, '--permissions'], streams)
  expect({ code, err }).toEqual({ code: 0, err: [] })
  return parse(out.join('')) as {
    readonly metadata: { readonly name: string }
    readonly rules: readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[]
  }
}

test.each([
  [['plan'], 'kerf-plan', ['nodepools', 'capacitybuffers', 'podtemplates', 'resourceclaims', 'cronjobs'], ['list']],
  [['explain', 'pod'], 'kerf-explain', ['nodepools'], ['list']],
  [['explain', 'node'], 'kerf-explain', ['poddisruptionbudgets'], ['list']],
  [['simulate', 'remove', 'node'], 'kerf-simulate', ['persistentvolumes'], ['list']],
  [['doctor'], 'kerf-doctor', ['customresourcedefinitions'], ['list']],
  [['migrate', 'cas'], 'kerf-migrate', ['configmaps'], ['list']],
  [['record'], 'kerf-record', ['events'], ['list', 'watch']],
  [['report'], 'kerf-report', ['pods'], ['list']],
  [['observe', 'report'], 'kerf-observe', ['events'], ['list', 'watch']],
])('%s --permissions prints a read-only role, even if other flags are missing', async (args, name, some, verbsOf) => {
  const { metadata, rules } = await permissions(...args)
  expect(metadata.name).toBe(name)
  const resources = rules.flatMap((rule) => rule.resources)
  expect(resources).toEqual(expect.arrayContaining(some))
  for (const { verbs: own } of rules) expect(own).toEqual(verbsOf)
  expect(resources).not.toContain('secrets')
})
