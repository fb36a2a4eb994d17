import type { ServerResponse } from 'node:http'

/** Returns a short description of the problem, or `undefined` if there is none. */
export type HealthCheck = () => string | undefined | Promise<string | undefined>

export type HealthChecks = Readonly<Record<string, HealthCheck>>

/**
 * Responds like Kubernetes' own health endpoints: `ok`, or 500 with a line for each check. `?verbose` always shows the
 * checks.
 */
export const serveHealth = async (checks: HealthChecks, verbose: boolean, response: ServerResponse): Promise<void> => {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        return { name, problem: await check() }
      } catch (error) {
        return { name, problem: error instanceof Error ? error.message : String(error) }
      }
    }),
  )
  const healthy = results.every(({ problem }) => problem === undefined)
  const lines = results.map(({ name, problem }) => (problem === undefined ? `[+]${name} ok` : `[-]${name}: ${problem}`))
  const body = healthy && !verbose ? 'ok' : `${lines.join('\n')}\n${healthy ? 'ok' : 'failed'}\n`
  response.writeHead(healthy ? 200 : 500, { 'content-type': 'text/plain; charset=utf-8' }).end(body)
}
