import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InstanceType } from '@kerf/engine'
import type { ProviderContext } from '@kerf/provider-contract'
import { parseSettings, SeededRandom, SharedInformers, silentLogger, VirtualClock } from '@kerf/runtime'
import { RecordingEventRecorder } from '@kerf/runtime/testing'
import { SandboxApi } from '@kerf/sandbox'
import { expect, onTestFinished, test } from 'vitest'
import { createKwok } from './create-kwok.ts'
import { generatedEntries } from './generated-types.ts'
import { kwokInstanceType } from './instance-type.ts'
import { kwokRunSettings } from './run-settings.ts'

const context = (): ProviderContext => {
  const clock = new VirtualClock()
  const random = new SeededRandom(1)
  const client = new SandboxApi({ clock, random }).client()
  const informers = new SharedInformers({ client, clock, random, logger: silentLogger })
  return { client, informers, clock, random, events: new RecordingEventRecorder(), log: silentLogger }
}

/** Creates the provider with these environment variables. Returns the names of the providers whose instance types were requested. */
const sourcesOf = async (env: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const asked: string[] = []
  const [entry] = generatedEntries()
  const types: readonly InstanceType[] = entry === undefined ? [] : [kwokInstanceType(entry)]
  const { settings } = parseSettings(kwokRunSettings(), env)
  await createKwok(settings, context(), {
    aliases: [],
    instanceTypes: async (name) => {
      asked.push(name)
      return name.endsWith('.json') ? undefined : types
    },
  })
  return asked
}

test('the setting for instance types is a provider name; the default is its own name', async () => {
  expect(await sourcesOf({})).toEqual(['kwok'])
  expect(await sourcesOf({ KWOK_INSTANCE_TYPES: 'other' })).toEqual(['other'])
})

test('a value that is not a provider name is read as the name of a file', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-types-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'types.json')
  writeFileSync(file, JSON.stringify(generatedEntries().slice(0, 2)))
  expect(await sourcesOf({ INSTANCE_TYPES_FILE_PATH: file })).toEqual([file])
  expect(await sourcesOf({ INSTANCE_TYPES_FILE_PATH: file, KWOK_INSTANCE_TYPES: 'other' })).toEqual(['other'])
  expect(await sourcesOf({ KWOK_INSTANCE_TYPES: file })).toEqual([file])
  await expect(sourcesOf({ KWOK_INSTANCE_TYPES: 'missing.json' })).rejects.toThrow(
    'instance-type file missing.json: cannot be read',
  )
})
