/** A refusal in the form of Proxmox: the message is the reason phrase, refused parameters are in the body. */
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
