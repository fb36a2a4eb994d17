import type { HttpError } from '@kerf/provider-kit'

const parsed = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

const textFields = (value: unknown): Readonly<Record<string, string>> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text).trim()]))
    : {}

/**
 * An error response of the Proxmox VE API (`providers/proxmox/docs/spec/proxmox.md#errors`). The message is in the reason phrase of the
 * response. Newer versions also put it into the body.
 */
export class ProxmoxApiError extends Error {
  override readonly name = 'ProxmoxApiError'
  readonly status: number
  /** Proxmox's message, without the call. */
  readonly detail: string
  /** The parameters that Proxmox rejected, each with the reason. */
  readonly parameters: Readonly<Record<string, string>>

  constructor(call: string, { status, answer }: HttpError, options?: ErrorOptions) {
    const { message, errors } = parsed(answer.text)
    const parameters = textFields(errors)
    const said = typeof message === 'string' && message.trim() !== '' ? message : (answer.statusText ?? '')
    const refused = Object.entries(parameters).map(([name, text]) => `${name}: ${text}`)
    const detail = [said.trim().replace(/\.$/, '') || `status ${status}`, ...refused].join('; ')
    super(`${call}: ${status} ${detail}`, options)
    this.status = status
    this.detail = detail
    this.parameters = parameters
  }
}
