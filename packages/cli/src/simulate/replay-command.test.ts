import { execFileSync } from 'node:child_process'
import { defaultFeatureGates } from '@kerf/runtime'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { replayCommand } from './replay-command.ts'
import type { SimulateOptions } from './simulate-options.ts'
import { simulate } from './verb.ts'

const command = (): Command => {
  const program = new Command('kerf').exitOverride()
  simulate.register(program)
  const [registered] = program.commands
  if (registered === undefined) throw new Error('the verb registers its command')
  return registered
}

/** Splits a command line into words, as a shell does. */
const wordsOf = (line: string): readonly string[] =>
  execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)

const parsed = (line: string): SimulateOptions => {
  const [program, verb, ...args] = wordsOf(line)
  expect([program, verb]).toEqual(['kerf', 'simulate'])
  let options: SimulateOptions | undefined
  command()
    .action((given: SimulateOptions) => {
      options = given
    })
    .parse(args, { from: 'user' })
  if (options === undefined) throw new Error('the action was not called')
  return options
}

const plain: SimulateOptions = {
  filename: ['examples/simulate'],
  seed: 1,
  output: 'table',
  schema: false,
  validate: 'warn',
  featureGates: defaultFeatureGates,
}

const everything: Required<SimulateOptions> = {
  filename: ['pools.yaml', "the team's pods; all.yaml"],
  trace: 'a day, recorded.json.gz',
  for: '90m',
  seed: 7,
  compare: ['eager.yaml', '$HOME/calm pools.yaml'],
  instanceTypes: 'my "types".json',
  region: 'eu-west-1',
  featureGates: { ...defaultFeatureGates, StaticCapacity: true, ReservedCapacity: false },
  nodeOverheadCost: 0.05,
  planExpectedPods: 'on',
  schema: true,
  validate: 'strict',
  output: 'html',
}

test.each<[string, SimulateOptions]>([
  ['only the required flags', plain],
  ['every flag, with names that a shell would split', everything],
  ['a comparison before other flags', { ...plain, compare: ['a.yaml', 'b.yaml'], output: 'json' }],
  ['a trace without manifests', { ...plain, filename: [], trace: 'day.json' }],
])('parsing the printed command gives the same options: %s', (_, options) => {
  expect(parsed(replayCommand(options))).toEqual(options)
})

test('every flag of kerf simulate is covered', () => {
  const flags = command().options.map((option) => option.attributeName())
  expect(Object.keys(everything).sort()).toEqual(flags.sort())
})

test('defaults are left out, except the seed', () => {
  expect(replayCommand({ ...plain, output: 'html' })).toBe('kerf simulate -f examples/simulate --seed 1 -o html')
})
