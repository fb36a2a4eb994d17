import { type LoopbackServer, serveLoopback } from '@kerf/provider-kit/testing'
import type { FakeOci } from './fake-oci.ts'

/** Serves the fake on a loopback address. If the fake breaks a connection, the server closes the client's socket. */
export const serveOci = (fake: FakeOci): Promise<LoopbackServer> =>
  serveLoopback(async (request) => fake.answer(request))
