import type { Milliseconds } from '@kerf/apis'
import type { Clock, Random } from '@kerf/runtime'
import { ArmError, type ArmResponse } from './arm-response.ts'
import { SUBSCRIPTION } from './names.ts'

const PATH = /\/subscriptions\/[^/]+\/providers\/Microsoft\.[^/]+\/locations\/[^/]+\/operations\/([^/?]+)$/i

/** Returns the operation ID of a request for the status of a change, or undefined for any other request. */
export const parseOperationId = (method: string, path: string): string | undefined =>
  method === 'GET' ? PATH.exec(path)?.[1] : undefined

interface PendingOperation {
  readonly endsAt: Milliseconds
  readonly failure: () => { readonly code: string; readonly message: string } | undefined
}

/** Asynchronous changes (learn.microsoft.com, "Track asynchronous Azure operations"). */
export class LongRunning {
  readonly #deps: { readonly clock: Clock; readonly random: Random; readonly endpoint: string }
  readonly #operations = new Map<string, PendingOperation>()

  constructor(deps: { readonly clock: Clock; readonly random: Random; readonly endpoint: string }) {
    this.#deps = deps
  }

  /** Returns Azure's immediate answer, with the URL for the status of the change. */
  accept(
    { provider, location }: { readonly provider: string; readonly location: string },
    { status, body }: Pick<ArmResponse, 'status' | 'body'>,
    takes: Milliseconds,
    failure: PendingOperation['failure'] = () => undefined,
  ): ArmResponse {
    if (takes === 0) return { status, body }
    const { clock, random, endpoint } = this.#deps
    const id = random.uuid()
    this.#operations.set(id, { endsAt: clock.monotonic() + takes, failure })
    const at = `${endpoint}/subscriptions/${SUBSCRIPTION}/providers/${provider}/locations/${location}/operations/${id}`
    return {
      ...{ status, body },
      headers: {
        'azure-asyncoperation': `${at}?api-version=2026-04-01`,
        location: `${at}?monitor=true&api-version=2026-04-01`,
      },
    }
  }

  /** Returns the status of a change. */
  statusOf(id: string): ArmResponse {
    const operation = this.#operations.get(id)
    if (operation === undefined) throw new ArmError(404, 'NotFound', `The operation ${id} was not found.`)
    if (operation.endsAt > this.#deps.clock.monotonic())
      return { status: 200, body: { name: id, status: 'InProgress' } }
    const error = operation.failure()
    return {
      status: 200,
      body: error === undefined ? { name: id, status: 'Succeeded' } : { name: id, status: 'Failed', error },
    }
  }
}
