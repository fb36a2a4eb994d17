/** An error in Proxmox's format: the message is the reason phrase, and the body contains the rejected parameters. */
export class FakeRefusal extends Error {
  override readonly name = 'FakeRefusal'
  readonly status: number
  readonly parameters: Readonly<Record<string, string>> | undefined

  constructor(status: number, message: string, parameters?: Readonly<Record<string, string>>) {
    super(message)
    this.status = status
    this.parameters = parameters
  }
}
