import type { ServerResponse } from 'node:http'

/** What is wrong, in a few words, or `undefined` when all is well. */
export type HealthCheck = () => string | undefined | Promise<string | undefined>

export type HealthChecks = Readonly<Record<string, HealthCheck>>

/**
 * Answers as Kubernetes' own health endpoints do: `ok`, or 500 with a line for each check. `?verbose` shows them
 * always.
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
