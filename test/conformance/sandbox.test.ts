import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { SandboxApi } from '@kerf/sandbox'
import { defineConformance } from './conformance.ts'

const clock = new VirtualClock()
const api = new SandboxApi({ clock, random: new SeededRandom(1) })
const client = api.client()

defineConformance('sandbox, in this process', {
  client: () => client,
  pause: () => clock.advance(50),
})
