import type { Page } from 'playwright-core'

/** Headlamp asks for these whether or not they are there; the browser notes each refusal. */
const HEADLAMP_PROBES =
  /\/apis\/(apiextensions\.k8s\.io\/v1beta1|extensions\/v1beta1|metrics\.k8s\.io|gateway\.networking\.k8s\.io|scheduling\.k8s\.io|autoscaling\.k8s\.io|jobset\.x-k8s\.io)\/|\/nodes\/[^/]+\/proxy\/stats\/summary/

/** Tells what a page complains about in the console, apart from what is the host's own. */
export const complaintsOf = (page: Page, tell: (text: string) => void): void => {
  const complain = (text: string): void => tell(`${new URL(page.url()).pathname}: ${text}`)
  page.on('console', (message) => {
    if (message.type() !== 'error' || HEADLAMP_PROBES.test(message.location().url)) return
    // Headlamp's own note when it gives up a socket that is still connecting. One that a server refuses or breaks is
    // told by the browser too, in another message, and that one counts.
    if (message.text() === 'WebSocket error: Event') return
    // Headlamp's node page asks what may be done with the node before it has one.
    if (/^TypeError: Cannot read properties of null \(reading 'apiName'\)/.test(message.text())) return
    complain(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => complain(error.message))
}
