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
  [['plan'], 'kerf-plan', 'nodepools'],
  [['explain', 'pod'], 'kerf-explain', 'nodepools'],
  [['explain', 'node'], 'kerf-explain', 'poddisruptionbudgets'],
  [['simulate', 'remove', 'node'], 'kerf-simulate', 'persistentvolumes'],
  [['doctor'], 'kerf-doctor', 'customresourcedefinitions'],
  [['migrate', 'cas'], 'kerf-migrate', 'configmaps'],
  [['record'], 'kerf-record', 'events'],
  [['report'], 'kerf-report', 'pods'],
  [['observe', 'report'], 'kerf-observe', 'events'],
])('%s --permissions prints a role that only reads, whatever else is missing', async (args, name, resource) => {
  const { metadata, rules } = await permissions(...args)
  expect(metadata.name).toBe(name)
  const resources = rules.flatMap((rule) => rule.resources)
  expect(resources).toContain(resource)
  expect(rules.flatMap((rule) => rule.verbs).filter((verb) => verb !== 'list' && verb !== 'watch')).toEqual([])
  expect(resources).not.toContain('secrets')
})
