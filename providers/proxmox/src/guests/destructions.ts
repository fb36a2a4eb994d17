import type { Upid } from '../api/proxmox-api.ts'
import { guestKey } from '../names.ts'
import type { ProxmoxInstance } from './proxmox-instance.ts'

type Destroyed = Pick<ProxmoxInstance, 'region' | 'vmid' | 'name' | 'description'>

interface Destruction {
  readonly region: string
  readonly owner: string
  readonly task: Upid
}

/** Returns a text that distinguishes a guest from an earlier guest with the same ID. */
const ownerText = ({ name, description: { nodeClaimUid, createdAt } }: Destroyed): string =>
  `${nodeClaimUid ?? name} ${createdAt}`

/** The guests that Kerf is destroying, and the Proxmox tasks that destroy them. */
export class Destructions {
  readonly #begun = new Map<string, Destruction>()

  begin(guest: Destroyed, task: Upid): void {
    this.#begun.set(guestKey(guest), { region: guest.region, owner: ownerText(guest), task })
  }

  /** Returns the task that is destroying the guest, or undefined. Returns undefined for a new guest that has the ID of a destroyed one. */
  taskFor(guest: Destroyed): Upid | undefined {
    const begun = this.#begun.get(guestKey(guest))
    return begun?.owner === ownerText(guest) ? begun.task : undefined
  }

  isBusyIn(region: string): boolean {
    return [...this.#begun.values()].some((each) => each.region === region)
  }

  /** Returns the keys of the guests. */
  keys(): Iterable<string> {
    return this.#begun.keys()
  }

  delete(key: string): void {
    this.#begun.delete(key)
  }
}
