import { importProviderExports } from '../../support/provider-exports.ts'
import { apis } from './quirks/apis.ts'
import { deviceQuirks } from './quirks/devices.ts'
import { disruption } from './quirks/disruption.ts'
import { install } from './quirks/install.ts'
import { lifecycle } from './quirks/lifecycle.ts'
import { provisioning } from './quirks/provisioning.ts'
import type { Quirks } from './quirks/quirk.ts'
import { runtime } from './quirks/runtime.ts'
import { sandbox } from './quirks/sandbox.ts'
import { scheduling } from './quirks/scheduling.ts'

/** The quirks that each provider lists in its own folder. */
const ofProviders = await importProviderExports<{ readonly quirks: Quirks }>('./testing/quirks')

/** The quirks by area, in the order of the page. */
export const quirks: Quirks = {
  ...scheduling,
  ...deviceQuirks,
  ...provisioning,
  ...lifecycle,
  ...disruption,
  ...runtime,
  ...apis,
  ...sandbox,
  ...Object.assign({}, ...ofProviders.map((each) => each.quirks)),
  ...install,
}
