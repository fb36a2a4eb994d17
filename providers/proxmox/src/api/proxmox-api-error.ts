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
 * A refusal of the Proxmox VE API (`providers/proxmox/docs/spec/proxmox.md#errors`). Proxmox puts its message into the reason phrase of the
 * response, and newer versions into the body as well.
 */
export class ProxmoxApiError extends Error {
  override readonly name = 'ProxmoxApiError'
  readonly status: number
  /** What Proxmox says, without the call. */
  readonly detail: string
  /** The parameters that Proxmox refuses, each with the reason. */
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
