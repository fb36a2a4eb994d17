/**
 * Returns a server's address for logs, messages and pages: scheme, host and port. The user and password are secret, and the path
 * may be secret as well: the sandbox has its token in the path, because client-go sends no token over plain HTTP.
 */
export const shownServer = (server: string): string => (URL.canParse(server) ? new URL(server).origin : server)
