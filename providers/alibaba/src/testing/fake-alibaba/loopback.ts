import { type LoopbackServer, serveLoopback } from '@kerf/provider-kit/testing'
import type { FakeAlibaba } from './fake-alibaba.ts'

/** Serves the fake on a loopback address. */
export const serveAlibaba = (fake: FakeAlibaba): Promise<LoopbackServer> =>
  serveLoopback(async (request) => fake.answer(request))
