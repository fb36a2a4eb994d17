import type { ServerResponse } from 'node:http'

/** A check that returns a short description of the problem, or `undefined` if there is none. */
export type HealthCheck = () => string | undefined | Promise<string | undefined>

export type HealthChecks = Readonly<Record<string, HealthCheck>>

/**
 * Responds as Kubernetes' own health endpoints do: with `ok`, or with 500 and a line for each check. With `?verbose`, the checks
 * are always shown.
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
