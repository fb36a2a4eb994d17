import {
  bearer,
  fixedCredentials,
  HttpKubeClient,
  type KubeClient,
  SystemClock,
  SystemRandom,
  silentLogger,
} from '@kerf/runtime'
import type { HttpAccess } from './plain-http.ts'

/** Returns Kerf's own client, for targets that test client and server together. */
export const kerfClient = ({ server, ca, token }: HttpAccess): KubeClient =>
  new HttpKubeClient({
    connection: {
      server,
      tls: ca === undefined ? {} : { ca },
      credentials: fixedCredentials(token === undefined ? {} : { authorization: bearer(token) }),
      origin: 'the conformance suite',
    },
    clock: new SystemClock(),
    random: new SystemRandom(),
    logger: silentLogger,
    rate: { qps: 10_000, burst: 10_000 },
  })
